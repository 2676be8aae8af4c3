// A cutover of the venue while orders rest and run: `GET /version` changes and resting orders are gone.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getContractState, startContractWatch } from "@/lib/orders/live/contract-watch";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { getOrder } from "@/lib/orders/get-order";
import { getDb } from "@/lib/db/client";
import { readNewestEvents } from "@/lib/events/read-events";
import { listNotifications } from "@/lib/notifications/list-notifications";
import { getUnread } from "@/lib/notifications/unread";
import { setClock } from "@/lib/clock";
import { applySwitches } from "@/lib/sandbox/cutover";
import { price, usdc } from "@/lib/units";
import { remoteVenue } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  compareOrders,
  findDisagreements,
  reconcileUntilSettled,
} from "@/tests/support/live/compare-with-venue";
import type { Fault } from "@/tests/support/live/fault-server";
import {
  findLiveMarket,
  type LiveUser,
  makeLiveUser,
  MARKET_BUY,
  type Order,
  type Outcome,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";

/** Longer than a test, so that an order that a pause holds back is not abandoned meanwhile. */
const ABANDON_AFTER_MS = 60_000;
const sandbox = await useLiveVenue({
  ABANDON_AFTER_MS: String(ABANDON_AFTER_MS),
  // A busy machine must not make an order unknown: no fault here is a late response.
  SUBMIT_ATTEMPT_TIMEOUT_MS: "20000",
});
useFreshDatabase();

let passed = 0;
let restore = () => {};
let stop: () => Promise<void> = async () => {};
beforeEach(async () => {
  sandbox.fault = () => null;
  await applySwitches({ version: 2 });
  restore = setClock(() => Date.now() + passed);
  stop = startContractWatch();
  await expect.poll(() => getContractState()?.verdict).toBe("known");
});
afterEach(async () => {
  await stop();
  restore();
});

const PAUSED = { status: 502, code: "TRADING_PAUSED" };
const REFUSED = { status: 400, code: "ORDER_REJECTED" };
const countPosts = () =>
  sandbox.calls.filter(({ method, path }) => method === "POST" && path === "/clob/order").length;
const readHeld = async (user: LiveUser) =>
  (await compareOrders(user)).reduce((total, { ours }) => total + (ours?.held ?? 0n), 0n);
const readReason = async (user: LiveUser, orderId: string | null) => {
  const { events } = await getOrder(user.live, orderId ?? "");
  return events.find(({ type }) => type === "canceled")?.detail["reason"];
};

describe("a venue that changes its version", () => {
  it("has its first refusal of an old order stop all live orders at once", async () => {
    const user = await makeLiveUser();
    await applySwitches({ version: 3 });
    expect(await send(user, RESTING, "refused")).toMatchObject(REFUSED);
    expect(getContractState()).toMatchObject({ verdict: "unknown" });
    const posts = countPosts();
    for (const order of [RESTING, MARKET_BUY, { ...RESTING, protocol: "v2" as const }]) {
      expect(await send(user, order, JSON.stringify(order.orderType))).toMatchObject(PAUSED);
    }
    // A used key keeps its response.
    expect(await send(user, RESTING, "refused")).toMatchObject(REFUSED);
    expect(countPosts()).toBe(posts);
    expect(await findDisagreements(user)).toEqual([]);
  });

  it("takes orders again once it names the known version, and the pause lasts until then", async () => {
    const user = await makeLiveUser();
    await applySwitches({ version: 3 });
    await send(user, RESTING, "refused");
    passed += 15_000;
    await expect.poll(() => getContractState()?.differences.join()).toMatch(/version says 3/);
    expect(await send(user, RESTING, "later")).toMatchObject(PAUSED);
    await applySwitches({ version: 2 });
    passed += 15_000;
    await expect.poll(() => getContractState()?.verdict).toBe("known");
    expect(await send(user, RESTING, "later")).toMatchObject({ status: 200 });
  });

  it("is not known again by a check that began before the refusal", async () => {
    const user = await makeLiveUser();
    let release = () => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = false;
    sandbox.fault = ({ path }) => {
      if (path !== "/clob/version") return null;
      isAsked = true;
      return async (handle, answer) => {
        const known = await handle();
        await isHeld;
        await answer.send(known);
      };
    };
    passed += 3_600_000;
    await expect.poll(() => isAsked).toBe(true);
    await applySwitches({ version: 3 });
    expect(await send(user, RESTING, "refused")).toMatchObject(REFUSED);
    release();
    await getContractState()?.running;
    expect(getContractState()?.verdict).toBe("unknown");
    expect(await send(user, RESTING, "paused")).toMatchObject(PAUSED);
  });
});

describe("orders that rest at a cutover", () => {
  it.each(["v1", "v2"] as const)(
    "of protocol %s end as canceled by the venue and release what they hold",
    async (protocol) => {
      const user = await makeLiveUser();
      const { orderId } = await send(user, { ...RESTING, protocol }, "resting");
      expect(await readHeld(user)).toBeGreaterThan(0n);
      await applySwitches({ version: 3 });
      await reconcileUntilSettled(user);
      expect((await getOrder(user.live, orderId ?? "")).status).toBe("canceled");
      expect(await readReason(user, orderId)).toBe("by_venue");
      expect(await readHeld(user)).toBe(0n);
      expect(await findDisagreements(user)).toEqual([]);
    },
  );

  it("are a notification each, and orders that their owner canceled are none", async () => {
    const user = await makeLiveUser();
    const canceled = await send(user, RESTING, "canceled");
    await cancelOrder(user.live, canceled.orderId ?? "");
    const { orderId } = await send(user, RESTING, "resting");
    await applySwitches({ version: 3 });
    await reconcileUntilSettled(user);
    const market = await findLiveMarket();
    const { notifications } = await listNotifications(user.live, 50);
    expect(notifications.map(({ href }) => href)).toEqual([`/orders/${orderId}`]);
    expect(notifications[0]).toMatchObject({
      title: `Canceled by Polymarket: buy ${market.outcomes[0].name}`,
      text: market.title,
      isUnread: true,
      shares: RESTING.shares,
      price: RESTING.price,
    });
    expect(await getUnread(user.live)).toEqual({ unread: 1 });
    const pushed = { notified: ["refused"], isNews: true, limit: 10 } as const;
    const news = await readNewestEvents(await getDb(), user.live, pushed);
    expect(news.map(({ type }) => type)).toEqual(["order.canceled"]);
  });

  it("end the same way if the venue forgets them without a trace", async () => {
    const user = await makeLiveUser();
    const { orderId } = await send(user, RESTING, "forgotten");
    await applySwitches({ version: 3 });
    const forget: Fault = (_, answer) => answer.send(Response.json(null));
    sandbox.fault = ({ path }) => (path.startsWith("/clob/data/order/") ? forget : null);
    await expect
      .poll(
        async () => {
          passed += ABANDON_AFTER_MS;
          await reconcileUntilSettled(user, 1);
          return (await getOrder(user.live, orderId ?? "")).status;
        },
        { timeout: 20_000, interval: 100 },
      )
      .toBe("canceled");
    expect(await readReason(user, orderId)).toBe("by_venue");
    expect(await readHeld(user)).toBe(0n);
  });
});

describe("a version that changes under load", () => {
  const USERS = 6;
  const ORDERS_EACH = 25;
  /** Small and at any price, so that the book always has enough. */
  const TAKING = { ...MARKET_BUY, price: price(990_000n), amount: usdc(2_000_000n) };
  const KINDS: Order[] = [
    RESTING,
    TAKING,
    { ...RESTING, protocol: "v2" },
    { ...TAKING, protocol: "v2" },
  ];

  it("loses and doubles nothing, and each user sees at most one refusal before the pause", async () => {
    await Promise.all([findLiveMarket("v1"), findLiveMarket("v2")]);
    const users = await Promise.all(Array.from({ length: USERS }, makeLiveUser));
    let answered = 0;
    let isFlipped = false;
    const results = await Promise.all(
      users.map(async (user, index) => {
        const outcomes: Outcome[] = [];
        for (let count = 0; count < ORDERS_EACH; count += 1) {
          const order = KINDS[(index + count) % KINDS.length] ?? RESTING;
          outcomes.push(await send(user, order, `${count}`));
          answered += 1;
          if (answered > (USERS * ORDERS_EACH) / 3 && !isFlipped) {
            isFlipped = true;
            await applySwitches({ version: 3 });
          }
        }
        return outcomes;
      }),
    );
    expect(isFlipped).toBe(true);
    const codes = results.map((outcomes) => outcomes.map(({ code }) => code ?? "accepted"));
    for (const own of codes) {
      expect(own.filter((code) => code === "ORDER_REJECTED").length).toBeLessThanOrEqual(1);
      expect(own.at(-1)).toBe("TRADING_PAUSED");
    }
    expect(codes.flat().filter((code) => code === "ORDER_REJECTED").length).toBeGreaterThan(0);
    const known = ["accepted", "ORDER_REJECTED", "TRADING_PAUSED"];
    expect(codes.flat().filter((code) => !known.includes(code))).toEqual([]);

    await applySwitches({ version: 2 });
    passed += 15_000;
    await expect.poll(() => getContractState()?.verdict).toBe("known");
    for (const [index, user] of users.entries()) {
      // Every request is repeated with its key: what was paused is placed now, once.
      for (const [count, first] of (results[index] ?? []).entries()) {
        const order = KINDS[(index + count) % KINDS.length] ?? RESTING;
        const again = await send(user, order, `${count}`);
        if (first.code !== "TRADING_PAUSED") expect(again).toEqual(first);
        else expect(again).toMatchObject({ status: 200, code: null });
      }
      await reconcileUntilSettled(user);
      expect(await findDisagreements(user)).toEqual([]);
      const atVenue = (await compareOrders(user)).filter(({ venue }) => venue !== null);
      const accepted = (results[index] ?? []).filter(({ code }) => code !== "ORDER_REJECTED");
      expect(atVenue).toHaveLength(accepted.length);
    }
    expect(await remoteVenue().isAnswering()).toBe(true);
  }, 180_000);
});
