import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { fillSettlements, remoteOrders } from "@/lib/db/schema/remote-orders";
import { fills, markets, orders } from "@/lib/db/schema/trading";
import { bookOfOutcome } from "@/tests/support/live/depth";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { price, shares, usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeLiveUser, send, useLiveVenue } from "@/tests/support/live/venue";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
} from "@/tests/support/live/compare-with-venue";

await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "20000" });
useFreshDatabase();

/** Returns the cost of the user's only order here and at the venue. */
async function costs(orderId: string) {
  const db = await getDb();
  const [ours] = await db.select().from(orders).where(eq(orders.id, orderId));
  const [remote] = await db.select().from(remoteOrders).where(eq(remoteOrders.orderId, orderId));
  const [venue] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, remote?.venueOrderId ?? ""));
  const of = (row: typeof ours) => ({
    filled: row?.filledShares,
    paid: row?.filledNotional,
    fee: row?.fee,
    status: row?.status,
  });
  return { ours: of(ours), venue: of(venue), remote };
}

it("an order that fills against several makers is recorded at each maker's price", async () => {
  const user = await makeLiveUser();
  const { limit, size } = await bookOfOutcome(0, 3);
  const placed = await send(
    user,
    { action: "BUY", orderType: "limit", price: limit, shares: size },
    "sweep",
  );
  expect(placed.status).toBe(200);
  await reconcileUntilSettled(user);
  const { ours, venue, remote } = await costs(placed.orderId ?? "");
  expect(ours).toEqual(venue);
  expect(ours.status).toBe("filled");
  expect(remote?.venueMatched).toBe(ours.filled);
  const db = await getDb();
  const own = await db
    .select()
    .from(fills)
    .where(eq(fills.orderId, placed.orderId ?? ""));
  expect(own).toHaveLength(1);
  const [settled] = await db
    .select()
    .from(fillSettlements)
    .where(eq(fillSettlements.fillId, own[0]?.id ?? ""));
  expect(settled?.venueNotional).toBe(ours.paid);
  expect(await findDisagreements(user)).toEqual([]);
});

it("a market buy that fills against several makers is filled at their total cost", async () => {
  const user = await makeLiveUser();
  const { limit, size } = await bookOfOutcome(0, 3);
  const amount = usdc(((limit * size) / 1_000_000n / 1_000_000n) * 1_000_000n);
  const placed = await send(
    user,
    { action: "BUY", orderType: "market", amount, price: price(limit) },
    "buy",
  );
  expect(placed.status).toBe(200);
  await reconcileUntilSettled(user);
  const { ours, venue } = await costs(placed.orderId ?? "");
  expect(ours).toEqual(venue);
  expect(await findDisagreements(user)).toEqual([]);
});

it("a sell to several makers receives what each of them paid", async () => {
  const user = await makeLiveUser();
  const { limit, size } = await bookOfOutcome(1, 2);
  await send(user, { action: "BUY", orderType: "limit", price: limit, shares: size }, "in", 1);
  await reconcileUntilSettled(user);
  const placed = await send(
    user,
    { action: "SELL", orderType: "market", shares: size, price: price(10_000n) },
    "out",
    1,
  );
  expect(placed.status).toBe(200);
  await reconcileUntilSettled(user);
  const { ours, venue } = await costs(placed.orderId ?? "");
  expect(ours).toEqual(venue);
  expect(await findDisagreements(user)).toEqual([]);
});

it("verify reports a fill whose makers add up to another cost, and missing matched shares", async () => {
  const user = await makeLiveUser();
  const { limit, size } = await bookOfOutcome(0, 2);
  const { orderId } = await send(
    user,
    { action: "BUY", orderType: "limit", price: limit, shares: size },
    "one",
  );
  await reconcileUntilSettled(user);
  const db = await getDb();
  const [own] = await db
    .select()
    .from(fills)
    .where(eq(fills.orderId, orderId ?? ""));
  const fillId = own?.id ?? "";
  const told = usdc((own?.notional ?? 0n) + 1_000n);
  await db
    .update(fillSettlements)
    .set({ venueNotional: told })
    .where(eq(fillSettlements.fillId, fillId));
  await db
    .update(remoteOrders)
    .set({ venueMatched: shares(size + 10_000n) })
    .where(eq(remoteOrders.orderId, orderId ?? ""));
  const { problems } = await verifyBooks();
  expect(problems.filter((text) => text.includes(fillId))).toHaveLength(1);
  expect(problems.filter((text) => text.includes(orderId ?? "none"))).toHaveLength(1);
  const [compared] = await compareOrders(user);
  expect(compared?.ours?.status).toBe("filled");
});

it("an order keeps the fee rate of its signing, and the market row has the newest one", async () => {
  const user = await makeLiveUser();
  const { limit, size } = await bookOfOutcome(0, 1);
  const order = { action: "BUY", orderType: "limit", price: limit, shares: size } as const;
  const db = await getDb();
  const first = await send(user, order, "first");
  await reconcileUntilSettled(user);
  const { remote, ours } = await costs(first.orderId ?? "");
  const rate = remote?.feeRate ?? null;
  expect(rate).not.toBeNull();
  // Another process recorded the market when it charged another fee.
  const [row] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, first.orderId ?? ""));
  const id = row?.marketId ?? "";
  await db.update(markets).set({ feeRate: 500_000n }).where(eq(markets.id, id));
  const second = await send(user, order, "second");
  await reconcileNow(user.userId);
  await reconcileUntilSettled(user);
  const again = await costs(second.orderId ?? "");
  expect(again.remote?.feeRate).toBe(rate);
  expect(again.ours.fee).toBe(again.venue.fee);
  expect(ours.fee).toBeDefined();
  const [market] = await db.select().from(markets).where(eq(markets.id, id));
  expect(market?.feeRate).toBe(rate);
});
