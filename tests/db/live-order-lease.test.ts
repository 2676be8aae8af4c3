import { describe, expect, it, onTestFinished } from "vitest";
import { setClock, setMonotonic, setPause } from "@/lib/clock";
import { readMetrics } from "@/lib/ops/metrics";
import { getOrder } from "@/lib/orders/get-order";
import { placeOrder } from "@/lib/orders/place-order";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { price, shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  type Order,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { failRequests } from "@/tests/support/live/faults";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
} from "@/tests/support/live/compare-with-venue";

const venue = await useLiveVenue();
useFreshDatabase();

const heal = () => {
  venue.fault = () => null;
};
const listPosts = (user: LiveUser) =>
  venue.calls.filter(
    ({ method, path, owner }) =>
      method === "POST" && path === "/clob/order" && owner === user.owner.toLowerCase(),
  ).length;
const NOT_READY: Fault = (_, { send: answer }) =>
  answer(Response.json({ error: "the market is not yet ready" }, { status: 400 }));

/** Suspends the process during its first pause, while `meanwhile` runs elsewhere. */
function standStill(clocks: { wall: boolean; steady: boolean }, meanwhile: () => Promise<void>) {
  const STILL_MS = 600_000;
  let [wallMs, steadyMs] = [0, 0];
  let isFirst = true;
  onTestFinished(setClock(() => Date.now() + wallMs));
  onTestFinished(setMonotonic(() => performance.now() + steadyMs));
  onTestFinished(
    setPause(async (ms) => {
      if (!isFirst) return new Promise((resolve) => setTimeout(resolve, ms));
      isFirst = false;
      if (clocks.wall) wallMs += STILL_MS;
      if (clocks.steady) steadyMs += STILL_MS;
      await meanwhile();
    }),
  );
}

describe("a process that was suspended between two posts does not post again", () => {
  it("and returns the outcome that another process recorded meanwhile", async () => {
    const user = await makeLiveUser();
    failRequests(venue, "POST", "/clob/order", NOT_READY, 1);
    standStill({ wall: true, steady: true }, async () => {
      await reconcileUntilSettled(user);
      expect((await compareOrders(user))[0]).toMatchObject({
        ours: { status: "abandoned", held: 0n },
      });
    });
    expect(await send(user, RESTING, "key")).toMatchObject({
      status: 400,
      code: "ORDER_ABANDONED",
    });
    expect(listPosts(user)).toBe(1);
    heal();
    expect((await compareOrders(user))[0]).toMatchObject({
      ours: { status: "abandoned", held: 0n },
      venue: null,
    });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it.each([
    ["the wall clock was set back", { wall: false, steady: true }],
    ["the monotonic clock stopped with the machine", { wall: true, steady: false }],
  ])("even if %s", async (_name, clocks) => {
    const user = await makeLiveUser();
    failRequests(venue, "POST", "/clob/order", NOT_READY, 1);
    standStill(clocks, async () => {});
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 502 });
    expect(listPosts(user)).toBe(1);
    // The key is not used up: a repeated request takes a new posting lease.
    heal();
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("and leaves the posting lease to the request that took it over", async () => {
    const user = await makeLiveUser();
    failRequests(venue, "POST", "/clob/order", NOT_READY, 1);
    let other: Promise<unknown> = Promise.resolve();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    standStill({ wall: true, steady: true }, async () => {
      const before = listPosts(user);
      failRequests(venue, "POST", "/clob/order", async (handle, { send: answer }) => {
        await isReleased;
        await answer(await handle());
      });
      other = send(user, RESTING, "key");
      await expect.poll(() => listPosts(user), { timeout: 20_000 }).toBe(before + 1);
    });
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 502 });
    release();
    await other;
    heal();
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
    await reconcileUntilSettled(user);
    expect(await findDisagreements(user)).toEqual([]);
  });
});

it.each<[string, Order, string]>([
  ["stays open", RESTING, "canceled"],
  ["trades", { ...RESTING, price: price(990_000n) }, "filled"],
])(
  "an abandoned order that appears at the venue and %s replaces its stored response and raises an alarm",
  async (_name, order, end) => {
    const user = await makeLiveUser();
    const alarms = async () =>
      Number(
        /ante_order_alarms_total\{alarm="LATE_APPEARANCE"\} (\d+)/.exec(await readMetrics())?.[1],
      );
    const before = await alarms();
    let arrive = () => {};
    const isAbandoned = new Promise<void>((resolve) => (arrive = resolve));
    let arrived: Promise<unknown> = Promise.resolve();
    let isFirst = true;
    failRequests(venue, "POST", "/clob/order", async (handle, { drop }) => {
      drop();
      if (!isFirst) return;
      isFirst = false;
      arrived = isAbandoned.then(handle);
    });
    const { outcomes } = await findLiveMarket();
    const body = { ...order, tokenId: outcomes[0].tokenId, idempotencyKey: "key" };
    expect((await send(user, order, "key")).status).toBe(502);
    await reconcileUntilSettled(user);
    heal();
    expect(await send(user, order, "key")).toMatchObject({ status: 400, code: "ORDER_ABANDONED" });
    arrive();
    await arrived;
    const readState = async () => {
      await reconcileNow(user.userId);
      return (await compareOrders(user))[0]?.ours?.status;
    };
    await expect.poll(readState, { timeout: 30_000 }).toBe(end);
    const first = await placeOrder(user.live, body);
    expect(first).toMatchObject({ isReplay: true, answer: { status: 200 } });
    expect(JSON.parse(first.answer.body)).toMatchObject({
      data: { idempotencyKey: "key", orderId: first.orderId },
    });
    expect(await placeOrder(user.live, body)).toEqual(first);
    const record = await getOrder(user.live, first.orderId);
    expect(record.filledShares).toBe(end === "filled" ? shares(10_000_000n) : 0n);
    expect(await alarms()).toBe(before + 1);
    expect(await findDisagreements(user)).toEqual([]);
  },
);

it("a firewall page stops the posts, leaves the order unknown and raises an alarm", async () => {
  const user = await makeLiveUser();
  failRequests(venue, "POST", "/clob/order", (_, { send: answer }) =>
    answer(
      new Response("<!DOCTYPE html><title>Attention Required! | Cloudflare</title>", {
        status: 403,
        headers: { "content-type": "text/html; charset=UTF-8" },
      }),
    ),
  );
  expect(await send(user, RESTING, "key")).toMatchObject({
    status: 502,
    code: "ORDER_OUTCOME_UNKNOWN",
  });
  await reconcileNow(user.userId);
  expect(listPosts(user)).toBe(1);
  expect((await compareOrders(user))[0]).toMatchObject({ ours: { status: "unknown" } });
  expect(await readMetrics()).toMatch(/ante_order_alarms_total\{alarm="UPSTREAM_BLOCKED"\} [1-9]/);
  heal();
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
  expect(await findDisagreements(user)).toEqual([]);
});

it("a rejection of an order that is open at the venue is checked with a query", async () => {
  const user = await makeLiveUser();
  failRequests(venue, "POST", "/clob/order", async (handle, { send: answer }) => {
    const taken = (await (await handle()).json()) as Record<string, unknown>;
    const errorMsg = "not enough balance / allowance";
    await answer(Response.json({ ...taken, success: false, errorMsg }));
  });
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
  heal();
  expect((await compareOrders(user))[0]).toMatchObject({
    ours: { status: "open" },
    venue: { status: "open" },
  });
  expect(await findDisagreements(user)).toEqual([]);
});

it("an order above the signing limit is rejected before it is signed, and its key stays free", async () => {
  const user = await makeLiveUser();
  const sizes: Order[] = [
    {
      action: "BUY",
      orderType: "limit",
      price: price(500_000n),
      shares: shares(10_000_000_010_000n),
    },
    { action: "SELL", orderType: "market", shares: shares(10_000_000_010_000n) },
  ];
  for (const order of sizes) {
    expect(await send(user, order, "key")).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  }
  expect(await compareOrders(user)).toEqual([]);
  expect(listPosts(user)).toBe(0);
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
});
