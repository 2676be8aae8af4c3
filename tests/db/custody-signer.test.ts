import { signRecoverable } from "tiny-secp256k1";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { signClobAuth } from "@/lib/custody/signer";
import { openTrader } from "@/lib/custody/trader";
import { getDb } from "@/lib/db/client";
import { deleteLiveWallet, putLiveWallet, selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { isClobAuthGenuine } from "@/lib/polymarket/protocol/clob-auth";
import { getExchangeDomain } from "@/lib/polymarket/protocol/contracts";
import type { OrderStruct, SignatureType } from "@/lib/polymarket/protocol/order-hash";
import { recoverOwner } from "@/lib/polymarket/protocol/order-signature";
import { isBookPositionId, isConditionalTokenId } from "@/lib/polymarket/protocol/position-id";
import { removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { EXCHANGES } from "@/lib/domain/protocol";
import type { Trader } from "@/lib/venue/trader";
import { changes, flippedBits, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  createOwner,
  buildOrder,
  type Owner,
  storeWallet,
  ZERO_BYTES,
} from "@/tests/support/live/wallets";
import { readPositionIds, readRecorded } from "@/tests/support/polymarket/recorded-data";
import { makeUser } from "@/tests/support/users";

vi.mock("tiny-secp256k1", async (importOriginal) =>
  (await import("@/tests/support/custody/signatures")).countedSignatures(importOriginal),
);
vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
useFreshDatabase();
restoreEnv();
let restoreClock = () => {};
afterEach(() => restoreClock());
const at = (instant: number) => {
  restoreClock = setClock(() => instant);
};

const TYPES: SignatureType[] = [0, 1, 2, 3];

async function getTrader(owner: Owner, signatureType: SignatureType): Promise<Trader> {
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
const NEG_RISK = getExchangeDomain(137, "negRisk").verifyingContract;

/** Signs a known order as the service would: with its stored wallet, time and chain. */
async function signKnown({ privateKey, keyAddress, domain, order }: Vector): Promise<string> {
  changes.POLYGON_CHAIN_ID = domain.chainId;
  at(Number(order.timestamp));
  const { userId } = await makeUser();
  const { maker, signatureType } = order;
  const identity = { userId, address: keyAddress ?? "", funderAddress: maker, signatureType };
  await storeWallet(identity, privateKey ?? "");
  const trader = await openTrader(userId);
  const struct = { ...order, salt: String(order.salt), side: order.side === 0 ? "BUY" : "SELL" };
  const exchange = EXCHANGES.find(
    (name) =>
      getExchangeDomain(domain.chainId, name).verifyingContract === domain.verifyingContract,
  );
  try {
    return (await trader?.signOrder(struct as OrderStruct, exchange ?? "ctf")) ?? "";
  } finally {
    // The next known order has the same owner, and an owner can have only one user.
    await removeLiveWallet(userId);
  }
}

describe("the signer with known orders", () => {
  const isPinned = ({ domain, order }: Vector) =>
    domain.version === "2"
      ? isConditionalTokenId(order.tokenId)
      : domain.version === "3" && isBookPositionId(order.tokenId);
  const pinned = HELD.filter(isPinned);

  it("covers every signature type on both exchanges", () => {
    const kinds = pinned.map(({ order, domain }) =>
      [order.signatureType, domain.verifyingContract === NEG_RISK].join(),
    );
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(5);
    expect(new Set(pinned.map(({ domain }) => domain.chainId))).toContain(137);
  });

  it.each(pinned)("signs $id byte for byte like the reference", async (vector) => {
    expect(await signKnown(vector)).toBe(vector.expected.signature);
  });

  // Some have an invented token such as 1234, which no exchange trades.
  it.each(HELD.filter((vector) => !isPinned(vector)))(
    "$id, of an exchange or a token that is not pinned, does not come out",
    async (vector) => {
      const signature = await signKnown(vector).catch(() => "");
      expect(signature).not.toBe(vector.expected.signature);
    },
  );
});

describe.each(TYPES)("a wallet of type %i", (type) => {
  const owner = createOwner();

  it.each(EXCHANGES)(
    "signs the service's own orders for the exchange %s only",
    async (exchange) => {
      const fresh = createOwner();
      const trader = await getTrader(fresh, type);
      const own = buildOrder(fresh, type);
      const order = exchange === "v3" ? { ...own, tokenId: readPositionIds("own")[0] } : own;
      const signature = await trader.signOrder(order, exchange);
      for (const each of EXCHANGES) {
        const signer = recoverOwner(order, getExchangeDomain(137, each), signature);
        expect(signer === fresh.address, each).toBe(each === exchange);
      }
    },
  );

  const stranger = createOwner();
  const FIVE_MINUTES = 5 * 60_000;
  const REFUSED: [string, (order: OrderStruct) => object][] = [
    ["another owner's wallet as maker", () => ({ maker: stranger.funders[type] })],
    ["another owner as signer", () => ({ signer: stranger.address })],
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
    ["a salt with a leading zero", () => ({ salt: "01" })],
    ["a salt as a number", () => ({ salt: 7 })],
    ["a maker amount of zero", () => ({ makerAmount: "0" })],
    ["a taker amount of zero", () => ({ takerAmount: "0" })],
    ["a negative amount", () => ({ makerAmount: "-5200000" })],
    ["more than the maximum maker amount", () => ({ makerAmount: "10000000000001" })],
    ["more than the maximum taker amount", () => ({ takerAmount: "10000000000001" })],
    ["no token", () => ({ tokenId: "0" })],
    ["a token that is too large", () => ({ tokenId: (2n ** 256n).toString() })],
    ["an unknown side", () => ({ side: "HOLD" })],
    ["a side as a number", () => ({ side: 0 })],
    [
      "an old time",
      (order) => ({ timestamp: String(Number(order.timestamp) - FIVE_MINUTES - 9999) }),
    ],
    [
      "a future time",
      (order) => ({ timestamp: String(Number(order.timestamp) + FIVE_MINUTES + 9999) }),
    ],
    ["a time in seconds", (order) => ({ timestamp: order.timestamp.slice(0, -3) })],
    ["an unknown field", () => ({ taker: ZERO_BYTES.slice(0, 42) })],
  ];

  it("signs nothing but valid orders of its wallet", async () => {
    const trader = await getTrader(owner, type);
    // Every signature of an order or a claim goes through this function.
    const signed = vi.mocked(signRecoverable).mockClear();
    for (const [what, change] of REFUSED) {
      const order = buildOrder(owner, type);
      const wrong = { ...order, ...change(order) } as unknown as OrderStruct;
      await expect(trader.signOrder(wrong, "ctf"), what).rejects.toThrow("the signer refuses");
    }
    for (const nothing of [null, undefined, "order", [], {}]) {
      const order = nothing as unknown as OrderStruct;
      await expect(trader.signOrder(order, "ctf")).rejects.toThrow("the signer refuses");
    }
    expect(signed).not.toHaveBeenCalled();
    await trader.signOrder(buildOrder(owner, type), "ctf");
    expect(signed).toHaveBeenCalledTimes(1);
  });
});

describe("the signer", () => {
  it("signs what it checked, and throws for an order that changed meanwhile", async () => {
    const owner = createOwner();
    const trader = await getTrader(owner, 3);
    const order = buildOrder(owner, 3);
    const signing = trader.signOrder(order, "ctf");
    order.makerAmount = "9900000";
    await expect(signing).rejects.toThrow("stays as it is while it is signed");
  });

  it("signs many orders concurrently while keys rotate", async () => {
    const owner = createOwner();
    const trader = await getTrader(owner, 3);
    const { userId } = trader;
    changes.KEY_ENCRYPTION_KEYS = [
      process.env["KEY_ENCRYPTION_KEYS"],
      `next:${Buffer.alloc(32, 7).toString("base64")}`,
    ].join(",");
    const orders = Array.from({ length: 40 }, (_, salt) => ({
      ...buildOrder(owner, 3),
      salt: String(salt),
    }));
    const rotating = rotateKeys("next");
    const signatures = await Promise.all(
      orders.map(async (order, index) => {
        const source = index % 2 === 0 ? trader : await openTrader(userId);
        return source?.signOrder(order, "ctf");
      }),
    );
    await rotating;
    const domain = getExchangeDomain(137, "ctf");
    for (const [index, order] of orders.entries()) {
      expect(recoverOwner(order, domain, signatures[index] ?? "")).toBe(owner.address);
    }
    const fresh = await openTrader(userId);
    await expect(fresh?.signOrder(buildOrder(owner, 3), "ctf")).resolves.toMatch(/^0x/);
  });

  it("throws SIGNER_UNAVAILABLE if a bit of the stored key is flipped", async () => {
    const owner = createOwner();
    const { userId } = await getTrader(owner, 1);
    const db = await getDb();
    const row = await selectLiveWallet(db, userId);
    if (!row) throw new Error("the wallet was stored");
    // Every eleventh bit is enough here: the unit tests of sealing try them all.
    const texts = [...flippedBits(row.sealedKey)].filter((_, index) => index % 11 === 0);
    for (const sealedKey of texts.filter((text) => /^[\x20-\x7e]+$/.test(text))) {
      await putLiveWallet(db, { ...row, sealedKey });
      const trader = await openTrader(userId);
      const signing = trader?.signOrder(buildOrder(owner, 1), "ctf");
      await expect(signing).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
    }
  });

  it.each(["userId", "funderAddress", "signatureType"] as const)(
    "does not open a key in a row with another %s",
    async (column) => {
      const owner = createOwner();
      const { userId } = await getTrader(owner, 1);
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
      const order = { ...buildOrder(owner, moved.signatureType), maker: moved.funderAddress };
      const signing = trader?.signOrder(order, "ctf");
      await expect(signing).rejects.toMatchObject({ code: "SIGNER_UNAVAILABLE" });
    },
  );
});

describe("signClobAuth", () => {
  beforeEach(() => at(1_795_262_400_000));
  const now = "1795262400";

  it("proves control of the user's wallet for this chain", async () => {
    const owner = createOwner();
    const { userId } = await getTrader(owner, 3);
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
    ["a future time", { timestamp: "1795262701", nonce: "0" }],
    ["milliseconds", { timestamp: `${now}000`, nonce: "0" }],
    ["a nonce that is too large for a JSON number", { timestamp: now, nonce: "9007199254740992" }],
    ["another message", { timestamp: now, nonce: "0", message: "I give it all away" }],
  ])("refuses %s", async (_what, request) => {
    const { userId } = await getTrader(createOwner(), 3);
    await expect(signClobAuth(userId, request)).rejects.toThrow("the signer refuses");
  });

  it("throws for a user without a live wallet", async () => {
    const { userId } = await makeUser();
    const signing = signClobAuth(userId, { timestamp: now, nonce: "0" });
    await expect(signing).rejects.toMatchObject({ code: "WALLET_NOT_FOUND" });
    expect(await openTrader(userId)).toBeNull();
  });
});
