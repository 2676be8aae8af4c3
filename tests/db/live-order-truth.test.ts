import { describe, expect, it, onTestFinished } from "vitest";
import { setClock } from "@/lib/clock";
import { env } from "@/lib/env";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { GeneratedKeyFailure, withGeneratedKey } from "@/lib/orders/idempotency/generated-key";
import { placeOrder } from "@/lib/orders/place-order";
import { reconcileNow } from "@/lib/orders/live/reconcile-leases";
import { shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import {
  findLiveMarket,
  makeLiveUser,
  MARKET_BUY,
  type Order,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live/venue";
import { failRequests, DELIVERED, NOT_DELIVERED } from "@/tests/support/live/faults";
import {
  compareOrders,
  reconcileUntilSettled,
  findDisagreements,
} from "@/tests/support/live/compare-with-venue";
import type { Fault } from "@/tests/support/live/fault-server";

const venue = await useLiveVenue();
useFreshDatabase();

const EXACT: Order = { action: "BUY", orderType: "market", shares: shares(30_000_000n) };
const KINDS: [string, Order][] = [
  ["a resting order", RESTING],
  ["a market buy", MARKET_BUY],
  ["a market buy of exact shares", EXACT],
];

/** Makes the first `times` posts fail. */
function failPosts(fault: Fault, times?: number): void {
  failRequests(venue, "POST", "/clob/order", fault, times);
}
const heal = () => {
  venue.fault = () => null;
};

describe.each(KINDS)("%s", (_, order) => {
  it.each(Object.entries(DELIVERED))("is placed once when %s", async (_name, fault) => {
    const user = await makeLiveUser();
    failPosts(fault, 1);
    const first = await send(user, order, "key");
    heal();
    expect([200, 502]).toContain(first.status);
    const again = await send(user, order, "key");
    expect(again.status).toBe(200);
    await reconcileUntilSettled(user);
    expect(await findDisagreements(user)).toEqual([]);
    expect((await compareOrders(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  });
});

describe("a resting order", () => {
  it.each(Object.entries(NOT_DELIVERED))(
    "is placed once when %s and the request is repeated",
    async (_n, fault) => {
      const user = await makeLiveUser();
      failPosts(fault);
      const first = await send(user, RESTING, "key");
      expect(first.status).toBe(502);
      heal();
      expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
      await reconcileUntilSettled(user);
      expect(await findDisagreements(user)).toEqual([]);
      expect((await compareOrders(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
    },
  );
});

it("a request without a key gets the generated key in the message", async () => {
  const user = await makeLiveUser();
  const { outcomes } = await findLiveMarket();
  const body: PlaceOrderBody = { ...RESTING, tokenId: outcomes[0].tokenId };
  failPosts(
    NOT_DELIVERED["the connection is lost on the way there"] ?? expect.fail("no such fault"),
  );
  const placing = withGeneratedKey(body, (keyed) => placeOrder(user.live, keyed));
  const error: unknown = await placing.catch((thrown: unknown) => thrown);
  if (!(error instanceof GeneratedKeyFailure)) throw error;
  const { idempotencyKey } = error;
  heal();
  const { answer } = await placeOrder(user.live, { ...body, idempotencyKey });
  expect(JSON.parse(answer.body)).toMatchObject({ ok: true, data: { idempotencyKey } });
  await reconcileUntilSettled(user);
  expect(await compareOrders(user)).toHaveLength(1);
  expect(await findDisagreements(user)).toEqual([]);
});

it("an order that never arrived and is not repeated is abandoned and releases its hold", async () => {
  const user = await makeLiveUser();
  failPosts(async (_, { drop }) => drop());
  expect((await send(user, RESTING, "key")).status).toBe(502);
  await reconcileUntilSettled(user);
  const [found] = await compareOrders(user);
  expect(found).toMatchObject({ ours: { status: "abandoned", held: 0n }, venue: null });
  expect(await findDisagreements(user)).toEqual([]);
  heal();
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 400, code: "ORDER_ABANDONED" });
  expect(await compareOrders(user)).toHaveLength(1);
});

it.each(["late", "never"])(
  "an order is not abandoned if the venue answers its cancel %s",
  async (answered) => {
    const user = await makeLiveUser();
    const { ABANDON_AFTER_MS } = env();
    let isPrompt = false;
    let aheadMs = 0;
    let cancels = 0;
    onTestFinished(setClock(() => Date.now() + aheadMs));
    venue.fault = ({ method, path }) => {
      if (path !== "/clob/order") return null;
      if (method === "POST") return async (_, { drop }) => drop();
      return async (handle, { drop, send: answer }) => {
        const response = await handle();
        cancels += 1;
        // This cancel does not cover a later post that the venue does not return yet.
        if (!isPrompt && answered === "late") aheadMs += ABANDON_AFTER_MS;
        if (!isPrompt && answered === "never") drop();
        else await answer(response);
      };
    };
    expect((await send(user, RESTING, "key")).status).toBe(502);
    const readState = async () => {
      await reconcileNow(user.userId);
      const [found] = await compareOrders(user);
      return { cancels, status: found?.ours?.status, isHeld: found?.ours?.held !== 0n };
    };
    const within = { timeout: 30_000 };
    await expect.poll(readState, within).toEqual({ cancels: 3, status: "unknown", isHeld: true });
    isPrompt = true;
    await expect.poll(readState, within).toMatchObject({ status: "abandoned", isHeld: false });
    heal();
    expect(await findDisagreements(user)).toEqual([]);
  },
);

it("a repeated request queries first and does not post an order that the venue has", async () => {
  const user = await makeLiveUser();
  const posts = () =>
    venue.calls.filter(({ method, path }) => method === "POST" && path === "/clob/order").length;
  const lost = DELIVERED["the connection is lost on the way back"] ?? null;
  venue.fault = ({ method, path }) => {
    if (method === "POST" && path === "/clob/order") return lost;
    return path.startsWith("/clob/data/") ? async (_, { drop }) => drop() : null;
  };
  expect((await send(user, RESTING, "key")).status).toBe(502);
  heal();
  const before = posts();
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
  expect(posts()).toBe(before);
  expect(await findDisagreements(user)).toEqual([]);
});

it("an order whose response was lost is queried by the same request and not posted again", async () => {
  const user = await makeLiveUser();
  let posts = 0;
  failPosts(async (handle, { drop }) => {
    posts += 1;
    await handle();
    drop();
  });
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
  expect(posts).toBe(1);
  expect(await findDisagreements(user)).toEqual([]);
});

const duplicated: Fault = async (_, { send: answer }) => {
  await answer(Response.json({ error: "order is invalid. Duplicated." }, { status: 400 }));
};
it.each([
  ["the venue reported a duplicate", duplicated],
  ["a lost response", async (_, { drop }) => drop()],
  [
    "a gateway failed",
    async (_, { send: answer }) => {
      await answer(new Response("<html>", { status: 502 }));
    },
  ],
] satisfies [string, Fault][])(
  "after %s, a later rejection of the order proves nothing",
  async (_, first) => {
    const user = await makeLiveUser();
    let posts = 0;
    venue.fault = ({ method, path }) => {
      if (method === "POST" && path === "/clob/order") {
        return async (handle, tools) => {
          posts += 1;
          if (posts === 1) {
            await handle();
            return first(handle, tools);
          }
          await tools.send(Response.json({ error: "not enough balance" }, { status: 400 }));
        };
      }
      // It does not return the order either.
      if (path.startsWith("/clob/data/order/")) {
        return async (_handle, { send: answer }) => answer(Response.json(null));
      }
      if (!path.startsWith("/clob/data/")) return null;
      return async (handle, { send: answer }) => {
        const page = (await (await handle()).json()) as Record<string, unknown>;
        await answer(Response.json({ ...page, data: [] }));
      };
    };
    for (const attempt of [1, 2]) {
      expect((await send(user, RESTING, "key")).status, String(attempt)).toBe(502);
    }
    expect(posts).toBeGreaterThan(1);
    expect((await compareOrders(user))[0]).toMatchObject({ ours: { status: "unknown" } });
    heal();
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
    await reconcileUntilSettled(user);
    expect(await findDisagreements(user)).toEqual([]);
  },
);

it("an order that arrives after it was abandoned is adopted and canceled", async () => {
  const user = await makeLiveUser();
  let arrive = () => {};
  const isGivenUp = new Promise<void>((resolve) => (arrive = resolve));
  let isFirst = true;
  failPosts(async (handle, { drop }) => {
    drop();
    if (!isFirst) return;
    isFirst = false;
    await isGivenUp;
    await handle();
  });
  expect((await send(user, RESTING, "key")).status).toBe(502);
  await reconcileUntilSettled(user);
  heal();
  expect((await compareOrders(user))[0]).toMatchObject({
    ours: { status: "abandoned" },
    venue: null,
  });
  arrive();
  await expect
    .poll(async () => (await compareOrders(user))[0]?.venue, { timeout: 60_000 })
    .not.toBeNull();
  const readState = async () => {
    await reconcileUntilSettled(user);
    return (await compareOrders(user))[0];
  };
  await expect.poll(readState, { timeout: 60_000 }).toMatchObject({
    ours: { status: "canceled", held: 0n },
    venue: { status: "canceled" },
  });
  expect(await findDisagreements(user)).toEqual([]);
});

it("50 concurrent requests with one key place one order and all get its response", async () => {
  const user = await makeLiveUser();
  failPosts(DELIVERED["the connection is lost on the way back"] ?? (async () => {}), 1);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => send(user, RESTING, "key")));
  heal();
  for (const { status } of outcomes) expect([200, 502]).toContain(status);
  const askAll = async () => {
    const again = await Promise.all(Array.from({ length: 50 }, () => send(user, RESTING, "key")));
    return [...new Set(again.map(({ status }) => status))];
  };
  await expect.poll(askAll, { timeout: 25_000 }).toEqual([200]);
  expect((await compareOrders(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  await reconcileUntilSettled(user);
  expect(await findDisagreements(user)).toEqual([]);
});
