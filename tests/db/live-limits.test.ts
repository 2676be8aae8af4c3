import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { orders } from "@/lib/db/schema/trading";
import { type Limits } from "@/lib/domain/limits";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { setLimits } from "@/lib/limits/change-limits";
import { freeze, thaw } from "@/lib/limits/freeze";
import { getLimitStates } from "@/lib/limits/get-limit-states";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { previewOrder } from "@/lib/orders/preview-order";
import { price, shares, type Usdc } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { reconcileUntilSettled } from "@/tests/support/live/compare-with-venue";
import {
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";

const venue = await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "20000" });
useFreshDatabase();

const ACCOUNT = { scope: "account", mode: "live" } as const;

const limitLive = ({ userId }: LiveUser, limits: Limits) =>
  setLimits({ userId, subject: ACCOUNT, limits });

const readStates = async (user: LiveUser) => (await getLimitStates(user.live)).limits;

async function readOrders(user: LiveUser) {
  const db = await getDb();
  const rows = await db.select().from(orders).where(eq(orders.userId, user.userId));
  const sent = await db.select().from(remoteOrders).where(eq(remoteOrders.userId, user.userId));
  return { rows, sent };
}

/** The most that the resting order can cost. Until the venue has it, the fee of the whole order counts. */
async function costOfResting(): Promise<Usdc> {
  const { live } = await makeLiveUser();
  const { tokenId } = (await findLiveMarket()).outcomes[0];
  return (await previewOrder(live, { ...RESTING, tokenId })).holdUsdc;
}

it("a live order over a limit is recorded as rejected and never sent, and its key keeps the refusal", async () => {
  const cost = await costOfResting();
  const user = await makeLiveUser();
  await limitLive(user, { perOrder: (cost - 1n) as Usdc });
  const first = await send(user, RESTING, "over");
  expect(first).toMatchObject({ status: 400, code: "RISK_LIMIT_EXCEEDED" });
  await limitLive(user, {});
  expect(await send(user, RESTING, "over")).toMatchObject({ status: 400 });
  const { rows, sent } = await readOrders(user);
  expect(rows).toMatchObject([{ status: "rejected", held: 0n }]);
  expect(sent).toEqual([]);
  expect((await verifyBooks()).problems).toEqual([]);
});

it("a live order that costs exactly what is left is sent, and its cancel gives it back", async () => {
  const cost = await costOfResting();
  const user = await makeLiveUser();
  await limitLive(user, { openExposure: cost });
  const placed = await send(user, RESTING, "first");
  expect(placed.status).toBe(200);
  expect(await send(user, RESTING, "second")).toMatchObject({ code: "RISK_LIMIT_EXCEEDED" });
  await cancelOrder(user.live, placed.orderId ?? "");
  await reconcileUntilSettled(user);
  expect(await send(user, RESTING, "third")).toMatchObject({ status: 200 });
});

it("20 live orders at once use a limit up exactly", async () => {
  const cost = await costOfResting();
  const user = await makeLiveUser();
  await limitLive(user, { total: (cost * 5n) as Usdc });
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(user, RESTING, `many-${index}`)),
  );
  expect(sent.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  expect(sent.some(({ code }) => code === "RISK_LIMIT_EXCEEDED")).toBe(true);
  const { total } = await readStates(user);
  // An order that the venue opened no longer reserves a fee, so a sixth may fit.
  expect(total?.reserved).toBeLessThanOrEqual(cost * 5n);
  expect(total?.remaining).toBeLessThan(cost);
});

it("a live fill moves what was reserved to what is used", async () => {
  const user = await makeLiveUser();
  await limitLive(user, { perDay: 100_000_000n as Usdc, openExposure: 100_000_000n as Usdc });
  expect((await send(user, MARKET_BUY, "buy")).status).toBe(200);
  await reconcileUntilSettled(user);
  const { perDay, openExposure } = await readStates(user);
  const [order] = (await readOrders(user)).rows;
  const paid = (order?.filledNotional ?? 0n) + (order?.fee ?? 0n);
  expect(paid).toBeGreaterThan(0n);
  expect(perDay).toMatchObject({ used: paid, reserved: 0n });
  expect(openExposure).toMatchObject({ used: paid, reserved: 0n });
});

it("a live order whose answer is lost keeps its reservation until its outcome is known", async () => {
  const cost = await costOfResting();
  const user = await makeLiveUser();
  await limitLive(user, { total: cost });
  venue.fault = ({ method, path }) =>
    method === "POST" && path === "/clob/order" ? async (_, { drop }) => drop() : null;
  await send(user, RESTING, "lost");
  venue.fault = () => null;
  expect(await readStates(user)).toMatchObject({ total: { remaining: 0n } });
  expect(await send(user, RESTING, "next")).toMatchObject({ code: "RISK_LIMIT_EXCEEDED" });
});

it("a price too far from the middle of the venue's book is refused", async () => {
  const user = await makeLiveUser();
  await limitLive(user, { maxDistanceFromMid: price(50_000n) });
  expect(await send(user, RESTING, "far")).toMatchObject({ code: "RISK_LIMIT_EXCEEDED" });
  expect((await readOrders(user)).sent).toEqual([]);
});

it("a preview of a live order says the same as the order", async () => {
  const user = await makeLiveUser();
  await limitLive(user, { perOrder: 1n as Usdc });
  const market = await findLiveMarket();
  const body = { ...RESTING, tokenId: market.outcomes[0].tokenId };
  const { refusal } = await previewOrder(user.live, body);
  expect(refusal).toMatchObject({ code: "RISK_LIMIT_EXCEEDED" });
  expect(await send(user, RESTING, "same")).toMatchObject({ code: "RISK_LIMIT_EXCEEDED" });
});

it("a freeze cancels open live orders and refuses new ones, and leaves the paper account alone", async () => {
  const user = await makeLiveUser();
  await send(user, { ...RESTING, shares: shares(20_000_000n) }, "open");
  await freeze({ userId: user.userId, subject: ACCOUNT, reason: "A test." });
  await reconcileUntilSettled(user);
  expect((await readOrders(user)).rows).toMatchObject([{ status: "canceled", held: 0n }]);
  expect(await send(user, RESTING, "late")).toMatchObject({ code: "TRADING_FROZEN" });
  expect((await getLimitStates(user.principal)).frozen).toBeNull();
  await thaw({ userId: user.userId, subject: ACCOUNT });
  expect(await send(user, RESTING, "again")).toMatchObject({ status: 200 });
});
