import { SigningKey } from "ethers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { signClobAuth } from "@/lib/custody/signer";
import { openTrader } from "@/lib/custody/trader";
import { getDb } from "@/lib/db/client";
import { deleteLiveWallet, putLiveWallet, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { isClobAuthGenuine } from "@/lib/polymarket/clob-auth";
import { exchangeDomain } from "@/lib/polymarket/contracts";
import type { OrderStruct, SignatureType } from "@/lib/polymarket/order-hash";
import { recoverOwner } from "@/lib/polymarket/order-signature";
import { removeLiveWallet } from "@/lib/services/live-wallet/remove-live-wallet";
import type { Trader } from "@/lib/venue/trader";
import { changes, flippedBits, restoreEnv } from "@/tests/support/custody";
import { useFreshDatabase } from "@/tests/support/database";
import {
  newOwner,
  orderOf,
  type Owner,
  storeWallet,
  ZERO_BYTES,
} from "@/tests/support/live-wallets";
import { readRecorded } from "@/tests/support/polymarket-data";
import { makeUser } from "@/tests/support/users";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody")).changedEnv(importOriginal),
);
useFreshDatabase();
restoreEnv();
let restoreClock = () => {};
afterEach(() => restoreClock());
const at = (instant: number) => {
  restoreClock = setClock(() => instant);
};

const TYPES: SignatureType[] = [0, 1, 2, 3];

async function traderOf(owner: Owner, signatureType: SignatureType): Promise<Trader> {
  const { userId } = await makeUser();
  const { address, privateKey, funders } = owner;
  const identity = { userId, address, funderAddress: funders[signatureType], signatureType };
  await storeWallet(identity, privateKey);
  const trader = await openTrader(userId);
  if (!trader) throw new Error("the wallet was stored");
  return trader;
}

interface Vector {
  id: string;
  privateKey: string | null;
  keyAddress: string | null;
  domain: { version: string; chainId: 137 | 80002; verifyingContract: string };
  order: Omit<OrderStruct, "side"> & { side: 0 | 1 };
  wrap: string;
  expected: { signature?: string };
}

const { vectors } = readRecorded<{ vectors: Vector[] }>("vectors/orders.json");
const HELD = vectors.filter(
  ({ privateKey, wrap }) => privateKey !== null && wrap !== "session-key-envelope",
);
const NEG_RISK = exchangeDomain(137, true).verifyingContract;

/** Signs a known order as the service would: its wallet stored, at its time, on its chain. */
async function signKnown({ privateKey, keyAddress, domain, order }: Vector): Promise<string> {
  changes.POLYGON_CHAIN_ID = domain.chainId;
  at(Number(order.timestamp));
  const { userId } = await makeUser();
  const { maker, signatureType } = order;
  const identity = { userId, address: keyAddress ?? "", funderAddress: maker, signatureType };
  await storeWallet(identity, privateKey ?? "");
  const trader = await openTrader(userId);
  const struct = { ...order, salt: String(order.salt), side: order.side === 0 ? "BUY" : "SELL" };
  const isNegRisk = domain.verifyingContract === NEG_RISK;
  const signature = await trader?.signOrder(struct as OrderStruct, isNegRisk);
  // The next known order has the same owner, and an owner has one user.
  await removeLiveWallet(userId);
  return signature ?? "";
}

describe("known orders through the custodian", () => {
  const pinned = HELD.filter(({ domain }) => domain.version === "2");

  it("are of every type, on both exchanges and both chains", () => {
    const kinds = pinned.map(({ order, domain }) =>
      [order.signatureType, domain.verifyingContract === NEG_RISK].join(),
    );
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(7);
    expect(new Set(pinned.map(({ domain }) => domain.chainId))).toEqual(new Set([137, 80002]));
  });

  it.each(pinned)("$id is signed byte for byte as by others", async (vector) => {
    expect(await signKnown(vector)).toBe(vector.expected.signature);
  });

  it.each(HELD.filter(({ domain }) => domain.version !== "2"))(
    "$id, of an exchange that is not pinned, does not come out",
    async (vector) => {
      const signature = await signKnown(vector).catch(() => "");
      expect(signature).not.toBe(vector.expected.signature);
    },
  );
});

describe.each(TYPES)("a wallet of type %i", (type) => {
  const owner = newOwner();

  it.each([false, true])("signs its own orders (neg-risk: %s)", async (isNegRisk) => {
    const fresh = newOwner();
    const trader = await traderOf(fresh, type);
    const order = orderOf(fresh, type);
    const signature = await trader.signOrder(order, isNegRisk);
    const domain = exchangeDomain(137, isNegRisk);
    expect(recoverOwner(order, domain, signature)).toBe(fresh.address);
    expect(recoverOwner(order, exchangeDomain(137, !isNegRisk), signature)).not.toBe(fresh.address);
  });

  const stranger = newOwner();
  const FIVE_MINUTES = 5 * 60_000;
  const REFUSED: [string, (order: OrderStruct) => object][] = [
    ["another's money", () => ({ maker: stranger.funders[type] })],
    ["another's signer", () => ({ signer: stranger.address })],
    ["another type", () => ({ signatureType: (type + 1) % 4 })],
    ["its type as text", () => ({ signatureType: String(type) })],
    ["its maker in lower case", (order) => ({ maker: order.maker.toLowerCase() })],
    ["metadata", () => ({ metadata: `0x${"0".repeat(63)}1` })],
    ["a builder", () => ({ builder: `0x${"0".repeat(63)}1` })],
    ["no builder", () => ({ builder: undefined })],
    ["a salt above 2^53 - 1", () => ({ salt: "9007199254740992" })],
    ["a negative salt", () => ({ salt: "-1" })],
    ["a fraction of a salt", () => ({ salt: "1.5" })],
    ["a salt in hex", () => ({ salt: "0x10" })],
    ["a salt with a zero before it", () => ({ salt: "01" })],
    ["a salt as a number", () => ({ salt: 7 })],
    ["nothing to give", () => ({ makerAmount: "0" })],
    ["nothing to get", () => ({ takerAmount: "0" })],
    ["a negative amount", () => ({ makerAmount: "-5200000" })],
    ["more than any order may give", () => ({ makerAmount: "10000000000001" })],
    ["more than any order may get", () => ({ takerAmount: "10000000000001" })],
    ["no token", () => ({ tokenId: "0" })],
    ["a token that is too large", () => ({ tokenId: (2n ** 256n).toString() })],
    ["an unknown side", () => ({ side: "HOLD" })],
    ["a side as a number", () => ({ side: 0 })],
    [
      "an old time",
      (order) => ({ timestamp: String(Number(order.timestamp) - FIVE_MINUTES - 9999) }),
    ],
    [
      "a time to come",
      (order) => ({ timestamp: String(Number(order.timestamp) + FIVE_MINUTES + 9999) }),
    ],
    ["a time in seconds", (order) => ({ timestamp: order.timestamp.slice(0, -3) })],
    ["a field that no order has", () => ({ taker: ZERO_BYTES.slice(0, 42) })],
  ];

  it("signs nothing that is not its order, now, as it must be", async () => {
    const trader = await traderOf(owner, type);
    // Whatever is signed, for an order or a claim, is signed by this.
    const signed = vi.spyOn(SigningKey.prototype, "sign");
    for (const [what, change] of REFUSED) {
      const order = orderOf(owner, type);
      const wrong = { ...order, ...change(order) } as unknown as OrderStruct;
      await expect(trader.signOrder(wrong, false), what).rejects.toThrow("the signer refuses");
    }
    for (const nothing of [null, undefined, "order", [], {}]) {
      const order = nothing as unknown as OrderStruct;
      await expect(trader.signOrder(order, false)).rejects.toThrow("the signer refuses");
    }
    expect(signed).not.toHaveBeenCalled();
    await trader.signOrder(orderOf(owner, type), false);
    expect(signed).toHaveBeenCalledTimes(1);
    signed.mockRestore();
  });
});

describe("the signer", () => {
  it("signs what it checked, and gives nothing back for an order that changed meanwhile", async () => {
    const owner = newOwner();
    const trader = await traderOf(owner, 3);
    const order = orderOf(owner, 3);
    const signing = trader.signOrder(order, false);
    order.makerAmount = "9900000";
    await expect(signing).rejects.toThrow("stays as it is while it is signed");
  });

  it("signs many orders at once, each with its own copy of the key, while keys rotate", async () => {
    const owner = newOwner();
    const trader = await traderOf(owner, 3);
    const { userId } = trader;
    changes.KEY_ENCRYPTION_KEYS = [
      process.env["KEY_ENCRYPTION_KEYS"],
      `next:${Buffer.alloc(32, 7).toString("base64")}`,
    ].join(",");
    const orders = Array.from({ length: 40 }, (_, salt) => ({
      ...orderOf(owner, 3),
      salt: String(salt),
    }));
    const rotating = rotateKeys("next");
    const signatures = await Promise.all(
      orders.map(async (order, index) => {
        const source = index % 2 === 0 ? trader : await openTrader(userId);
        return source?.signOrder(order, false);
      }),
    );
    await rotating;
    const domain = exchangeDomain(137, false);
    for (const [index, order] of orders.entries()) {
      expect(recoverOwner(order, domain, signatures[index] ?? "")).toBe(owner.address);
    }
    const fresh = await openTrader(userId);
    await expect(fresh?.signOrder(orderOf(owner, 3), false)).resolves.toMatch(/^0x/);
  });

  it("answers SIGNER_UNAVAILABLE when a bit of the stored key is another", async () => {
    const owner = newOwner();
    const { userId } = await traderOf(owner, 1);
    const db = await getDb();
    const row = await selectLiveWallet(db, userId);
    if (!row) throw new Error("the wallet was stored");
    // Every eleventh is enough here: the unit tests of sealing try them all.
    const texts = [...flippedBits(row.sealedKey)].filter((_, index) => index % 11 === 0);
    for (const sealedKey of texts.filter((text) => /^[\x20-\x7e]+$/.test(text))) {
      await putLiveWallet(db, { ...row, sealedKey });
      const trader = await openTrader(userId);
      const signing = trader?.signOrder(orderOf(owner, 1), false);
      await expect(signing).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
    }
  });

  it.each(["userId", "funderAddress", "signatureType"] as const)(
    "does not open a key whose row has another %s",
    async (column) => {
      const owner = newOwner();
      const { userId } = await traderOf(owner, 1);
      const other = await makeUser();
      const db = await getDb();
      const row = await selectLiveWallet(db, userId);
      if (!row) throw new Error("the wallet was stored");
      const change = {
        userId: other.userId,
        funderAddress: owner.funders[2],
        signatureType: 2 as const,
      };
      await deleteLiveWallet(db, userId);
      const moved = { ...row, [column]: change[column] };
      await putLiveWallet(db, moved);
      const trader = await openTrader(moved.userId);
      const order = { ...orderOf(owner, moved.signatureType), maker: moved.funderAddress };
      const signing = trader?.signOrder(order, false);
      await expect(signing).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
    },
  );
});

describe("signClobAuth", () => {
  beforeEach(() => at(1_795_262_400_000));
  const now = "1795262400";

  it("proves control of the user's own wallet, for this chain", async () => {
    const owner = newOwner();
    const { userId } = await traderOf(owner, 3);
    const { signature, ...claim } = await signClobAuth(userId, { timestamp: now, nonce: "0" });
    expect(claim).toEqual({ address: owner.address, timestamp: now, nonce: "0" });
    expect(isClobAuthGenuine(claim, 137, signature)).toBe(true);
    expect(isClobAuthGenuine(claim, 80002, signature)).toBe(false);
  });

  it("reproduces the known signature", async () => {
    changes.POLYGON_CHAIN_ID = 80002;
    at(10_000_000_000);
    const { l1 } = readRecorded<{
      l1: {
        vectors: {
          privateKey: string;
          address: string;
          timestamp: string;
          nonce: number;
          signature: string;
        }[];
      };
    }>("vectors/auth.json");
    const [known] = l1.vectors;
    if (!known) throw new Error("a signature is known");
    const { userId } = await makeUser();
    const { address, privateKey, timestamp, nonce, signature } = known;
    await storeWallet({ userId, address, funderAddress: address, signatureType: 0 }, privateKey);
    const proof = await signClobAuth(userId, { timestamp, nonce: String(nonce) });
    expect(proof.signature).toBe(signature);
  });

  it.each([
    ["an old time", { timestamp: "1795262099", nonce: "0" }],
    ["a time to come", { timestamp: "1795262701", nonce: "0" }],
    ["milliseconds", { timestamp: `${now}000`, nonce: "0" }],
    ["a nonce that no JSON number holds", { timestamp: now, nonce: "9007199254740992" }],
    ["another message", { timestamp: now, nonce: "0", message: "I give it all away" }],
  ])("refuses %s", async (_what, request) => {
    const { userId } = await traderOf(newOwner(), 3);
    await expect(signClobAuth(userId, request)).rejects.toThrow("the signer refuses");
  });

  it("has nothing to sign with for a user without a live wallet", async () => {
    const { userId } = await makeUser();
    const signing = signClobAuth(userId, { timestamp: now, nonce: "0" });
    await expect(signing).rejects.toMatchObject({ code: "WALLET_NOT_FOUND" });
    expect(await openTrader(userId)).toBeNull();
  });
});
