import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { selectMarketRows } from "@/lib/db/queries/market-row";
import { liveWallets } from "@/lib/db/schema/accounts";
import { orders } from "@/lib/db/schema/trading";
import type { Protocol } from "@/lib/domain/protocol";
import { newId } from "@/lib/ids";
import {
  createBinaryPositions,
  toPositionConditionId,
} from "@/lib/polymarket/protocol/position-id";
import { listFills } from "@/lib/activity/list-fills";
import { readLiveCash } from "@/lib/accounts/live-account";
import { cancelOrder, cancelOrders } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { listOpenOrders } from "@/lib/orders/list-open-orders";
import { type AccountView, adoptOrders } from "@/lib/orders/live/adopt-orders";
import { findDueUsers, reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { requireTrader } from "@/lib/accounts/require-trader";
import { price, shares } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { NO_CONDITIONS, type OrderSubmission, type VenueOrder } from "@/lib/venue/port";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  type LiveUser,
  findLiveMarket,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { bookOfOutcome } from "@/tests/support/live/depth";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
} from "@/tests/support/live/compare-with-venue";

await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "20000" });
useFreshDatabase();

/** Places a limit buy at the venue with the user's wallet, without recording it, like another program. */
async function placeElsewhere(
  user: LiveUser,
  terms: { price: bigint; shares: bigint },
): Promise<string> {
  const trader = await requireTrader(user.userId);
  const submission: OrderSubmission = {
    orderId: newId("ord"),
    userId: user.userId,
    keyId: null,
    market: await findLiveMarket(),
    outcome: 0,
    intent: {
      type: "limit",
      action: "BUY",
      price: price(terms.price),
      shares: shares(terms.shares),
      amount: null,
    },
    conditions: NO_CONDITIONS,
    idempotencyKey: "elsewhere",
    receivedAt: Date.now(),
    simulatedFault: null,
    canAskOwner: false,
  };
  const signed = await remoteVenue().signOrder(trader, submission);
  const posted = await remoteVenue().postOrder(trader, signed, { leftMs: 60_000 });
  expect(posted).toMatchObject({ outcome: "accepted" });
  return signed.venueOrderId;
}

const CHEAP = { price: 10_000n, shares: 10_000_000n };

async function externalOrders(user: LiveUser) {
  const db = await getDb();
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, user.userId), eq(orders.origin, "external")));
}

describe("an order that another program placed with the wallet", () => {
  it("is listed, reserves its cost and can be canceled", async () => {
    const user = await makeLiveUser();
    await placeElsewhere(user, CHEAP);
    await reconcileNow(user.userId);
    const { orders: open } = await listOpenOrders(user.live, {});
    expect(open).toHaveLength(1);
    const id = open[0]?.id ?? "";
    expect(await getOrder(user.live, id)).toMatchObject({
      origin: "external",
      idempotencyKey: null,
      status: "open",
      price: CHEAP.price,
      shares: CHEAP.shares,
      filledShares: 0n,
    });
    expect((await readLiveCash(await requireTrader(user.userId))).held).toBe(100_000n);
    expect(await cancelOrder(user.live, id)).toMatchObject({ status: "canceled" });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("is canceled by a cancel of all orders", async () => {
    const user = await makeLiveUser();
    await placeElsewhere(user, CHEAP);
    await send(user, RESTING, "own");
    await reconcileNow(user.userId);
    const { canceled, notCanceled } = await cancelOrders(user.live);
    expect([canceled.length, notCanceled]).toEqual([2, []]);
    await reconcileUntilSettled(user);
    expect((await compareOrders(user)).map(({ venue }) => venue?.status)).toEqual([
      "canceled",
      "canceled",
    ]);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("is adopted once by concurrent processes", async () => {
    const user = await makeLiveUser();
    await placeElsewhere(user, CHEAP);
    await Promise.all(Array.from({ length: 6 }, () => reconcileNow(user.userId)));
    await reconcileNow(user.userId);
    expect(await externalOrders(user)).toHaveLength(1);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("is recorded with its fills and their cost", async () => {
    const user = await makeLiveUser();
    const { limit, size } = await bookOfOutcome(0, 2);
    const venueOrderId = await placeElsewhere(user, { price: limit, shares: size });
    await reconcileNow(user.userId);
    await reconcileUntilSettled(user);
    const [own] = await externalOrders(user);
    const db = await getDb();
    const [venue] = await db.select().from(orders).where(eq(orders.id, venueOrderId));
    expect(own).toMatchObject({
      status: "filled",
      filledShares: venue?.filledShares,
      filledNotional: venue?.filledNotional,
      fee: venue?.fee,
      held: 0n,
    });
    const { fills } = await listFills(user.live, {});
    expect(fills.map(({ orderId }) => orderId)).toEqual([own?.id]);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("is ignored if it traded before the wallet was imported, unless it is still open", async () => {
    const user = await makeLiveUser();
    const { limit, size } = await bookOfOutcome(0, 1);
    await placeElsewhere(user, { price: limit, shares: size });
    await placeElsewhere(user, CHEAP);
    const db = await getDb();
    await db
      .update(liveWallets)
      .set({ createdAt: new Date(Date.now() + 1_000) })
      .where(eq(liveWallets.userId, user.userId));
    await reconcileNow(user.userId);
    expect((await externalOrders(user)).map(({ status }) => status)).toEqual(["open"]);
  });

  it("is adopted in an account without any orders of Ante", async () => {
    const user = await makeLiveUser();
    expect(await findDueUsers()).toContain(user.userId);
    await reconcileNow(user.userId);
    expect(await findDueUsers()).not.toContain(user.userId);
  });
});

const hex = (bytes: number) => `0x${randomBytes(bytes).toString("hex")}`;

/** Creates the ids of a market that the venue does not list. */
function createUnlisted(protocol: Protocol) {
  if (protocol === "v1") return { tokenId: BigInt(hex(32)).toString(), marketId: hex(32) };
  const [tokenId] = createBinaryPositions(BigInt(hex(32)));
  return { tokenId, marketId: toPositionConditionId(tokenId) };
}

/** Creates the responses of a venue with one open order in a market that it does not list. */
function createView(
  wallet: string | null,
  { tokenId, marketId }: Record<"tokenId" | "marketId", string> = createUnlisted("v1"),
): { view: AccountView; venueOrderId: string; tokenId: string } {
  const venueOrderId = hex(32);
  const order: VenueOrder = {
    venueOrderId,
    status: "open",
    matchedShares: shares(0n),
    tradeIds: [],
    wallet,
    details: {
      marketId,
      tokenId,
      action: "BUY",
      orderType: "GTC",
      price: price(500_000n),
      shares: shares(4_000_000n),
      amount: null,
      createdAt: Date.now(),
      expiresAt: null,
    },
  };
  const view = { open: new Map([[venueOrderId, order]]), trades: new Map() };
  return { view, venueOrderId, tokenId };
}

async function adoptFrom(user: LiveUser, view: AccountView): Promise<boolean> {
  const trader = await requireTrader(user.userId);
  const venue = { ...remoteVenue(), findMarketByToken: async () => null };
  return adoptOrders({ venue, trader }, view, new Date(0));
}

it.each(["v1", "v2"] as const)(
  "an order of a market of protocol %s that the venue does not list is adopted without its description",
  async (protocol) => {
    const user = await makeLiveUser();
    const { view, tokenId } = createView(user.funder.toLowerCase(), createUnlisted(protocol));
    expect(await adoptFrom(user, view)).toBe(true);
    const [order, ...others] = await externalOrders(user);
    expect(others).toEqual([]);
    expect(order).toMatchObject({ tokenId, status: "open", held: 2_000_000n });
    const recorded = await selectMarketRows(await getDb(), [order?.marketId ?? ""]);
    expect(recorded).toMatchObject([{ firstToken: tokenId, protocol }]);
  },
);

it("an order of another wallet of the same owner is not adopted", async () => {
  const user = await makeLiveUser();
  expect(await adoptFrom(user, createView(user.owner.toLowerCase()).view)).toBe(true);
  expect(await externalOrders(user)).toEqual([]);
});
