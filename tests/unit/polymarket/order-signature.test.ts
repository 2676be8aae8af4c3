import { dataLength, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { type ExchangeDomain, exchangeDomain } from "@/lib/polymarket/contracts";
import {
  orderHash,
  type OrderStruct,
  orderStructHash,
  type SignatureType,
} from "@/lib/polymarket/order-hash";
import { isMakersOwner, recoverOwner, signOrderStruct } from "@/lib/polymarket/order-signature";
import { depositWalletsOf, proxyWalletOf, safeWalletOf } from "@/lib/polymarket/wallets";
import { readRecorded } from "@/tests/support/polymarket-data";

interface Vector {
  id: string;
  privateKey: string | null;
  keyAddress: string | null;
  domain: ExchangeDomain;
  order: Omit<OrderStruct, "side"> & { side: 0 | 1 };
  wrap: string;
  /** With a `typedDataSignStructHash`, `hash` is what the wallet's owner signs, not the order's id. */
  expected: {
    hash?: string;
    structHash?: string;
    signature?: string;
    typedDataSignStructHash?: string;
  };
}

const { vectors } = readRecorded<{ vectors: Vector[] }>("vectors/orders.json");
/** Session keys belong to the successor of the client and are not accepted here. */
const SIGNED = vectors.filter(({ wrap }) => wrap !== "session-key-envelope");
const HELD = SIGNED.filter(({ privateKey }) => privateKey !== null);

const structOf = ({ order }: Vector): OrderStruct => ({
  ...order,
  salt: String(order.salt),
  side: order.side === 0 ? "BUY" : "SELL",
});

describe("known orders", () => {
  it("are many, of every signature type and on both exchanges", () => {
    expect(SIGNED.length).toBeGreaterThan(20);
    expect(new Set(SIGNED.map(({ order }) => order.signatureType))).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(SIGNED.map(({ domain }) => domain.verifyingContract)).size).toBeGreaterThan(1);
  });

  it.each(SIGNED.filter(({ expected }) => expected.hash && !expected.typedDataSignStructHash))(
    "$id has its id",
    (vector) => {
      expect(orderHash(structOf(vector), vector.domain)).toBe(vector.expected.hash);
      const { structHash } = vector.expected;
      if (structHash) expect(orderStructHash(structOf(vector))).toBe(structHash);
    },
  );

  it.each(HELD)("$id is signed byte for byte as by others", async (vector) => {
    const owner = new Wallet(vector.privateKey ?? "");
    const signature = await signOrderStruct(owner, structOf(vector), vector.domain);
    expect(signature).toBe(vector.expected.signature);
  });

  it.each(SIGNED.filter(({ expected }) => expected.signature))("$id names its signer", (vector) => {
    const signature = vector.expected.signature ?? "";
    const owner = recoverOwner(structOf(vector), vector.domain, signature);
    if (vector.keyAddress) expect(owner).toBe(vector.keyAddress);
    else expect(owner).toMatch(/^0x[0-9a-fA-F]{40}$/);
  });

  it.each(HELD)("$id with one bit flipped anywhere in its signature is nobody's", (vector) => {
    const signature = vector.expected.signature ?? "";
    const owner = recoverOwner(structOf(vector), vector.domain, signature);
    expect(owner).not.toBeNull();
    const bytes = Buffer.from(signature.slice(2), "hex");
    for (
      let bit = 0;
      bit < bytes.length * 8;
      bit += vector.id === "rs-polygon_standard_buy" ? 1 : 61
    ) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const tampered = `0x${flipped.toString("hex")}`;
      expect(recoverOwner(structOf(vector), vector.domain, tampered)).not.toBe(owner);
    }
  });
});

const owner = new Wallet(`0x${"11".repeat(32)}`);
const MAKERS: [string, SignatureType, string][] = [
  ["an owner", 0, owner.address],
  ["a proxy wallet", 1, proxyWalletOf(owner.address)],
  ["a Safe", 2, safeWalletOf(owner.address)],
  ["a deposit wallet", 3, depositWalletsOf(owner.address)[0] ?? ""],
  ["an older deposit wallet", 3, depositWalletsOf(owner.address)[1] ?? ""],
];

const orderOf = (maker: string, signatureType: SignatureType): OrderStruct => ({
  salt: "479249096354",
  maker,
  signer: signatureType === 3 ? maker : owner.address,
  tokenId: "71321045679252212594626385532706912750332728571942532289631379312455583992563",
  makerAmount: "5200000",
  takerAmount: "10000000",
  side: "BUY",
  signatureType,
  timestamp: "1748779200000",
  metadata: `0x${"0".repeat(64)}`,
  builder: `0x${"0".repeat(64)}`,
});

describe.each(MAKERS)("an order of %s", (_name, type, maker) => {
  const order = orderOf(maker, type);
  const domain = exchangeDomain(137, false);

  it("is its owner's, and binds its maker", async () => {
    const signature = await signOrderStruct(owner, order, domain);
    expect(dataLength(signature)).toBe(type === 3 ? 317 : 65);
    expect(recoverOwner(order, domain, signature)).toBe(owner.address);
    expect(isMakersOwner(order, owner.address)).toBe(true);
  });

  it("does not bind another owner's wallet", () => {
    const stranger = Wallet.createRandom().address;
    expect(isMakersOwner(order, stranger)).toBe(false);
    expect(isMakersOwner({ ...order, maker: stranger }, owner.address)).toBe(false);
    expect(isMakersOwner({ ...order, signer: stranger }, owner.address)).toBe(false);
  });

  it("with any field changed, or for the other exchange or chain, is not the owner's", async () => {
    const signature = await signOrderStruct(owner, order, domain);
    const changes: Partial<OrderStruct>[] = [
      { salt: "479249096355" },
      { maker: `0x${"2".repeat(40)}` },
      { signer: `0x${"2".repeat(40)}` },
      { tokenId: "7" },
      { makerAmount: "5200001" },
      { takerAmount: "9999999" },
      { side: "SELL" },
      { timestamp: "1748779200001" },
      { metadata: `0x${"1".repeat(64)}` },
      { builder: `0x${"1".repeat(64)}` },
    ];
    for (const change of changes) {
      expect(recoverOwner({ ...order, ...change }, domain, signature)).not.toBe(owner.address);
    }
    expect(recoverOwner(order, exchangeDomain(137, true), signature)).not.toBe(owner.address);
    expect(recoverOwner(order, exchangeDomain(80002, false), signature)).not.toBe(owner.address);
  });
});

it.each(["", "0x", "0x12", "hello", `0x${"00".repeat(65)}`, `0x${"ff".repeat(317)}`])(
  "%j is nobody's signature",
  (signature) => {
    for (const [, type, maker] of MAKERS) {
      expect(recoverOwner(orderOf(maker, type), exchangeDomain(137, false), signature)).toBeNull();
    }
  },
);
