import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { getDb } from "@/lib/db/client";
import { requestCancels } from "@/lib/db/queries/remote-cancels";
import { remoteOrders } from "@/lib/db/schema/remote-orders";
import { newId } from "@/lib/ids";
import { countAlarms } from "@/lib/orders/live/alarms";
import { cancelChosenOrders, cancelOrders } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { placeOrder } from "@/lib/orders/place-order";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { requireTrader } from "@/lib/accounts/require-trader";
import { shares } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { type Market, NO_CONDITIONS } from "@/lib/venue/port";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import type { Fault, VenueCall } from "@/tests/support/live/fault-server";
import {
  toFailure,
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { sendEmptyPage, failRequests } from "@/tests/support/live/faults";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
} from "@/tests/support/live/compare-with-venue";

const venue = await useLiveVenue();
useFreshDatabase();

const COUNT = 12;
/** Far above the budget, because the machine may be slow. */
const PATIENCE_MS = 25_000;

const heal = () => {
  venue.fault = () => null;
};
const SILENT: Fault = () => new Promise(() => {});
const startOutage = (user: LiveUser) => {
  venue.fault = ({ owner }) => (owner === user.owner.toLowerCase() ? SILENT : null);
};

async function placeSome(user: LiveUser, count = COUNT): Promise<string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) {
    const { status, orderId } = await send(user, RESTING, `key ${each}`);
    expect(status).toBe(200);
    if (orderId !== null) ids.push(orderId);
  }
  return ids.toSorted();
}

async function requestedIds(user: LiveUser): Promise<string[]> {
  const db = await getDb();
  const rows = await db.select().from(remoteOrders).where(eq(remoteOrders.userId, user.userId));
  return rows
    .filter(({ cancelRequestedAt }) => cancelRequestedAt !== null)
    .map(({ orderId }) => orderId)
    .toSorted();
}

async function callsDuring(work: () => Promise<unknown>): Promise<VenueCall[]> {
  const before = venue.calls.length;
  await work();
  return venue.calls.slice(before);
}

async function expectAllCanceled(user: LiveUser): Promise<void> {
  for (const { ours, venue: theirs } of await compareOrders(user)) {
    expect(ours).toMatchObject({ status: "canceled", held: 0n });
    expect(theirs).toMatchObject({ status: "canceled" });
  }
  expect(await findDisagreements(user)).toEqual([]);
}

describe("a cancel of all live orders", () => {
  it("takes one cancel request and one list of trades for any number of orders", async () => {
    const user = await makeLiveUser();
    const ids = await placeSome(user);
    let outcomes: Awaited<ReturnType<typeof cancelOrders>> | undefined;
    const calls = await callsDuring(async () => {
      outcomes = await cancelOrders(user.live);
    });
    expect(outcomes?.canceled.toSorted()).toEqual(ids);
    expect(outcomes?.notCanceled).toEqual([]);
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "DELETE /clob/cancel-all",
      "GET /clob/data/trades",
    ]);
    await expectAllCanceled(user);
    const record = await getOrder(user.live, ids[0] ?? "");
    expect(record.events.filter(({ type }) => type === "cancel_requested")).toHaveLength(1);
  });

  it("records every cancel request and responds within the budget while the venue is silent", async () => {
    const user = await makeLiveUser();
    const ids = await placeSome(user);
    startOutage(user);
    const startedAt = performance.now();
    const { canceled, notCanceled } = await cancelOrders(user.live);
    expect(performance.now() - startedAt).toBeLessThan(PATIENCE_MS);
    expect(canceled).toEqual([]);
    expect(notCanceled.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      ids.map((id) => ({ id, status: "open" })),
    );
    expect(await requestedIds(user)).toEqual(ids);
    heal();
    await reconcileUntilSettled(user);
    await expectAllCanceled(user);
  });

  it("is finished by another process when its own is killed after recording the requests", async () => {
    const user = await makeLiveUser();
    const ids = await placeSome(user);
    const at = new Date();
    const request = { userId: user.userId, keyId: null, at };
    expect((await requestCancels(await getDb(), request, {})).toSorted()).toEqual(ids);
    const calls = await callsDuring(() => reconcileNow(user.userId));
    expect(calls.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
      "/clob/orders",
    ]);
    await expectAllCanceled(user);
  });

  it("cancels by id the orders that the venue's cancel-all does not confirm", async () => {
    const user = await makeLiveUser();
    const ids = await placeSome(user);
    failRequests(venue, "DELETE", "/clob/cancel-all", (_, { send: answer }) =>
      answer(new Response("", { status: 502 })),
    );
    expect((await cancelOrders(user.live)).canceled.toSorted()).toEqual(ids);
    heal();
    await expectAllCanceled(user);
  });

  it("can be limited to a market and leaves other users' orders open", async () => {
    const user = await makeLiveUser();
    const [first] = await placeSome(user, 1);
    const { id: firstMarket } = await findLiveMarket();
    const isOther = ({ id, tick, closesAt, minOrderShares }: Market) =>
      id !== firstMarket &&
      10_000n % tick === 0n &&
      minOrderShares <= 10_000_000n &&
      closesAt > Date.now() + 3_600_000;
    const other = (await remoteVenue().listMarkets()).find(isOther);
    if (!other) throw new Error("the venue lists other markets");
    const body = { ...RESTING, tokenId: other.outcomes[0].tokenId, idempotencyKey: "other" };
    const { orderId } = await placeOrder(user.live, body);
    const calls = await callsDuring(async () => {
      expect(await cancelOrders(user.live, other.id)).toEqual({
        canceled: [orderId],
        notCanceled: [],
      });
    });
    expect(calls[0]).toMatchObject({ method: "DELETE", path: "/clob/cancel-market-orders" });
    expect(await getOrder(user.live, first ?? "")).toMatchObject({ status: "open" });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("includes orders that another program placed with the same wallet", async () => {
    const user = await makeLiveUser();
    const trader = await requireTrader(user.userId);
    const market = await findLiveMarket();
    const signed = await remoteVenue().signOrder(trader, {
      orderId: newId("ord"),
      userId: user.userId,
      keyId: null,
      market,
      outcome: 0,
      intent: { ...RESTING_INTENT },
      conditions: NO_CONDITIONS,
      idempotencyKey: "elsewhere",
      receivedAt: Date.now(),
      simulatedFault: null,
      canAskOwner: false,
    });
    await remoteVenue().postOrder(trader, signed, { leftMs: 1_000 });
    expect(await cancelOrders(user.live)).toEqual({ canceled: [], notCanceled: [] });
    expect((await compareOrders(user))[0]).toMatchObject({ venue: { status: "canceled" } });
  });

  it("returns 502 if no order is recorded and the venue is silent", async () => {
    const user = await makeLiveUser();
    await requireTrader(user.userId);
    startOutage(user);
    const error: unknown = await cancelOrders(user.live).catch((thrown: unknown) => thrown);
    expect(toFailure(error)).toEqual({ status: 502, code: "CANCEL_OUTCOME_UNKNOWN" });
    heal();
  });
});

it("chosen orders are canceled by id in one request", async () => {
  const user = await makeLiveUser();
  const ids = await placeSome(user, 3);
  const [kept = "", ...chosen] = ids;
  const calls = await callsDuring(async () => {
    expect((await cancelChosenOrders(user.live, chosen)).canceled.toSorted()).toEqual(chosen);
  });
  expect(calls[0]).toMatchObject({ method: "DELETE", path: "/clob/orders" });
  expect(await getOrder(user.live, kept)).toMatchObject({ status: "open" });
});

it("an order that is being posted during a cancel of all is canceled once it is accepted", async () => {
  const user = await makeLiveUser();
  await requireTrader(user.userId);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  let isPosting = false;
  failRequests(venue, "POST", "/clob/order", async (handle, { send: answer }) => {
    isPosting = true;
    await isReleased;
    await answer(await handle());
  });
  const placing = send(user, RESTING, "key");
  await expect.poll(() => isPosting, { timeout: PATIENCE_MS }).toBe(true);
  const canceling = cancelOrders(user.live);
  await expect.poll(() => requestedIds(user), { timeout: PATIENCE_MS }).toHaveLength(1);
  release();
  await Promise.all([placing, canceling]);
  heal();
  await reconcileUntilSettled(user);
  expect((await compareOrders(user))[0]?.venue?.status).not.toBe("open");
  expect(await findDisagreements(user)).toEqual([]);
});

it("an order with a cancel request is not posted again, even when its key is repeated", async () => {
  const user = await makeLiveUser();
  await requireTrader(user.userId);
  failRequests(venue, "POST", "/clob/order", async (_, { drop }) => drop());
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 502 });
  heal();
  await cancelOrders(user.live);
  const calls = await callsDuring(async () => {
    const again = send(user, RESTING, "key");
    await reconcileUntilSettled(user);
    expect(await again).toMatchObject({ status: 400, code: "ORDER_ABANDONED" });
  });
  expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  expect((await compareOrders(user))[0]).toMatchObject({
    ours: { status: "abandoned" },
    venue: null,
  });
});

it("an order that is closed here but open at the venue raises an alarm and is canceled", async () => {
  const user = await makeLiveUser();
  const [orderId = ""] = await placeSome(user, 1);
  const [{ venueOrderId } = { venueOrderId: "" }] = await compareOrders(user);
  // The venue confirms the cancel and does not return the order, but leaves it open.
  venue.fault = ({ method, path }) => {
    if (method === "DELETE") {
      return (_, { send: answer }) =>
        answer(Response.json({ canceled: [venueOrderId], not_canceled: {} }));
    }
    return /^\/clob\/data\/(orders|trades)$/.test(path) ? sendEmptyPage : null;
  };
  expect((await cancelOrders(user.live)).canceled).toEqual([orderId]);
  heal();
  expect((await compareOrders(user))[0]).toMatchObject({
    ours: { status: "canceled" },
    venue: { status: "open" },
  });
  const before = countAlarms().get("CLOSED_ORDER_STANDS") ?? 0;
  await reconcileNow(user.userId);
  expect(countAlarms().get("CLOSED_ORDER_STANDS")).toBe(before + 1);
  await expectAllCanceled(user);
});

const RESTING_INTENT = {
  type: "limit",
  action: "BUY",
  price: RESTING.price ?? expect.fail("a resting order has a price"),
  shares: shares(10_000_000n),
  amount: null,
} as const;
