import { dataLength, Wallet } from "ethers";
import { describe, expect, it } from "vitest";
import { type ExchangeDomain, getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import {
  computeOrderHash,
  type OrderStruct,
  computeStructHash,
  type SignatureType,
} from "@/lib/polymarket/protocol/order-hash";
import {
  isOwnerOfMaker,
  recoverOwner,
  signOrderStruct,
} from "@/lib/polymarket/protocol/order-signature";
import {
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

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
/** Session keys sign in an envelope: session-signature.test.ts. */
const SIGNED = vectors.filter(({ wrap }) => wrap !== "session-key-envelope");
const HELD = SIGNED.filter(({ privateKey }) => privateKey !== null);

const toStruct = ({ order }: Vector): OrderStruct => ({
  ...order,
  salt: String(order.salt),
  side: order.side === 0 ? "BUY" : "SELL",
});

describe("known orders", () => {
  it("cover every signature type and both exchanges", () => {
    expect(SIGNED.length).toBeGreaterThan(20);
    expect(new Set(SIGNED.map(({ order }) => order.signatureType))).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(SIGNED.map(({ domain }) => domain.verifyingContract)).size).toBeGreaterThan(1);
  });

  it.each(SIGNED.filter(({ expected }) => expected.hash && !expected.typedDataSignStructHash))(
    "$id has its id",
    (vector) => {
      expect(computeOrderHash(toStruct(vector), vector.domain)).toBe(vector.expected.hash);
      const { structHash } = vector.expected;
      if (structHash) expect(computeStructHash(toStruct(vector))).toBe(structHash);
    },
  );

  it.each(HELD)("$id has the expected signature, byte for byte", async (vector) => {
    const owner = new Wallet(vector.privateKey ?? "");
    const signature = await signOrderStruct(owner, toStruct(vector), vector.domain);
    expect(signature).toBe(vector.expected.signature);
  });

  it.each(SIGNED.filter(({ expected }) => expected.signature))(
    "$id recovers its signer",
    (vector) => {
      const signature = vector.expected.signature ?? "";
      const owner = recoverOwner(toStruct(vector), vector.domain, signature);
      if (vector.keyAddress) expect(owner).toBe(vector.keyAddress);
      else expect(owner).toMatch(/^0x[0-9a-fA-F]{40}$/);
    },
  );

  it.each(HELD)(
    "$id with any flipped bit of its signature does not recover its signer",
    (vector) => {
      const signature = vector.expected.signature ?? "";
      const owner = recoverOwner(toStruct(vector), vector.domain, signature);
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
        expect(recoverOwner(toStruct(vector), vector.domain, tampered)).not.toBe(owner);
      }
    },
  );
});

const owner = new Wallet(`0x${"11".repeat(32)}`);
const MAKERS: [string, SignatureType, string][] = [
  ["an owner", 0, owner.address],
  ["a proxy wallet", 1, deriveProxyWallet(owner.address)],
  ["a Safe", 2, deriveSafeWallet(owner.address)],
  ["a deposit wallet", 3, deriveDepositWallets(owner.address)[0] ?? ""],
  ["an older deposit wallet", 3, deriveDepositWallets(owner.address)[1] ?? ""],
];

const createOrder = (maker: string, signatureType: SignatureType): OrderStruct => ({
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
  const order = createOrder(maker, type);
  const domain = getExchangeDomain(137, "ctf");

  it("recovers its owner, who owns the maker", async () => {
    const signature = await signOrderStruct(owner, order, domain);
    expect(dataLength(signature)).toBe(type === 3 ? 317 : 65);
    expect(recoverOwner(order, domain, signature)).toBe(owner.address);
    expect(isOwnerOfMaker(order, owner.address)).toBe(true);
  });

  it("has the same hash when it is frozen, and another one after a change", () => {
    const changing = { ...order };
    const former = computeStructHash(changing);
    expect(computeStructHash(Object.freeze({ ...order }))).toBe(former);
    changing.makerAmount = "5200001";
    expect(computeStructHash(changing)).not.toBe(former);
    expect(computeStructHash(Object.freeze(changing))).not.toBe(former);
  });

  it("does not accept another owner's wallet", () => {
    const stranger = Wallet.createRandom().address;
    expect(isOwnerOfMaker(order, stranger)).toBe(false);
    expect(isOwnerOfMaker({ ...order, maker: stranger }, owner.address)).toBe(false);
    expect(isOwnerOfMaker({ ...order, signer: stranger }, owner.address)).toBe(false);
  });

  it("does not recover the owner after any change, or for another exchange or chain", async () => {
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
    expect(recoverOwner(order, getExchangeDomain(137, "negRisk"), signature)).not.toBe(
      owner.address,
    );
    expect(recoverOwner(order, getExchangeDomain(80002, "ctf"), signature)).not.toBe(owner.address);
  });
});

it.each(["", "0x", "0x12", "hello", `0x${"00".repeat(65)}`, `0x${"ff".repeat(317)}`])(
  "%j is not a signature",
  (signature) => {
    for (const [, type, maker] of MAKERS) {
      expect(
        recoverOwner(createOrder(maker, type), getExchangeDomain(137, "ctf"), signature),
      ).toBeNull();
    }
  },
);
