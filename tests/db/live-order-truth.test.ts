import { describe, expect, it, onTestFinished } from "vitest";
import { setClock } from "@/lib/clock";
import { env } from "@/lib/env";
import { placeOrder } from "@/lib/services/orders/place-order";
import { hurry } from "@/lib/services/remote-orders/reconcile";
import { shares } from "@/lib/units";
import { useFreshDatabase } from "@/tests/support/database";
import {
  liveMarket,
  makeLiveUser,
  MARKET_BUY,
  type Order,
  RESTING,
  send,
  useLiveVenue,
} from "@/tests/support/live";
import { failRequests, TAKEN, UNSEEN } from "@/tests/support/live-faults";
import { compare, converge, disagreements } from "@/tests/support/live-truth";
import type { Fault } from "@/tests/support/fault-server";

const venue = await useLiveVenue();
useFreshDatabase();

const EXACT: Order = { action: "BUY", orderType: "market", shares: shares(30_000_000n) };
const KINDS: [string, Order][] = [
  ["a resting order", RESTING],
  ["a market buy", MARKET_BUY],
  ["a market buy of exact shares", EXACT],
];

/** Lets a fault happen to the first `times` posted orders. */
function failPosts(fault: Fault, times?: number): void {
  failRequests(venue, "POST", "/clob/order", fault, times);
}
const heal = () => {
  venue.fault = () => null;
};

describe.each(KINDS)("%s", (_, order) => {
  it.each(Object.entries(TAKEN))("is placed once when %s", async (_name, fault) => {
    const user = await makeLiveUser();
    failPosts(fault, 1);
    const first = await send(user, order, "key");
    heal();
    expect([200, 502]).toContain(first.status);
    const again = await send(user, order, "key");
    expect(again.status).toBe(200);
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
    expect((await compare(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  });
});

describe("a resting order", () => {
  it.each(Object.entries(UNSEEN))("is placed once when %s, and asked again", async (_n, fault) => {
    const user = await makeLiveUser();
    failPosts(fault);
    const first = await send(user, RESTING, "key");
    expect(first.status).toBe(502);
    heal();
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
    expect((await compare(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  });
});

it("a request without a key is told the one to repeat it with", async () => {
  const user = await makeLiveUser();
  const { outcomes } = await liveMarket();
  const body = { ...RESTING, tokenId: outcomes[0].tokenId };
  failPosts(UNSEEN["the connection is lost on the way there"] ?? expect.fail("no such fault"));
  const error: unknown = await placeOrder(user.live, body).catch((thrown: unknown) => thrown);
  const [idempotencyKey = ""] = /auto_[0-9A-Z]{26}/.exec(String(error)) ?? [];
  heal();
  const { answer } = await placeOrder(user.live, { ...body, idempotencyKey });
  expect(JSON.parse(answer.body)).toMatchObject({ ok: true, data: { idempotencyKey } });
  await converge(user);
  expect(await compare(user)).toHaveLength(1);
  expect(await disagreements(user)).toEqual([]);
});

it("an order that never arrived and is not asked for again is given up and releases its hold", async () => {
  const user = await makeLiveUser();
  failPosts(async (_, { drop }) => drop());
  expect((await send(user, RESTING, "key")).status).toBe(502);
  await converge(user);
  const [found] = await compare(user);
  expect(found).toMatchObject({ ours: { status: "abandoned", held: 0n }, venue: null });
  expect(await disagreements(user)).toEqual([]);
  heal();
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 400, code: "ORDER_ABANDONED" });
  expect(await compare(user)).toHaveLength(1);
});

it.each(["late", "never"])(
  "an order is given up only on a cancel that was just answered: on one answered %s it is not",
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
        // What is posted meanwhile, and not shown for as long, was not canceled.
        if (!isPrompt && answered === "late") aheadMs += ABANDON_AFTER_MS;
        if (!isPrompt && answered === "never") drop();
        else await answer(response);
      };
    };
    expect((await send(user, RESTING, "key")).status).toBe(502);
    const look = async () => {
      await hurry(user.userId);
      const [found] = await compare(user);
      return { cancels, status: found?.ours?.status, isHeld: found?.ours?.held !== 0n };
    };
    const within = { timeout: 30_000 };
    await expect.poll(look, within).toEqual({ cancels: 3, status: "unknown", isHeld: true });
    isPrompt = true;
    await expect.poll(look, within).toMatchObject({ status: "abandoned", isHeld: false });
    heal();
    expect(await disagreements(user)).toEqual([]);
  },
);

it("a repeated request looks first: what the venue shows by then is not posted again", async () => {
  const user = await makeLiveUser();
  const posts = () =>
    venue.calls.filter(({ method, path }) => method === "POST" && path === "/clob/order").length;
  const lost = TAKEN["the connection is lost on the way back"] ?? null;
  venue.fault = ({ method, path }) => {
    if (method === "POST" && path === "/clob/order") return lost;
    return path.startsWith("/clob/data/") ? async (_, { drop }) => drop() : null;
  };
  expect((await send(user, RESTING, "key")).status).toBe(502);
  heal();
  const before = posts();
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
  expect(posts()).toBe(before);
  expect(await disagreements(user)).toEqual([]);
});

it("an order whose answer was lost is looked for by the same request, and not posted again", async () => {
  const user = await makeLiveUser();
  let posts = 0;
  failPosts(async (handle, { drop }) => {
    posts += 1;
    await handle();
    drop();
  });
  expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
  expect(posts).toBe(1);
  expect(await disagreements(user)).toEqual([]);
});

const duplicated: Fault = async (_, { send: answer }) => {
  await answer(Response.json({ error: "order is invalid. Duplicated." }, { status: 400 }));
};
it.each([
  ["the venue says that it has it already", duplicated],
  ["the answer was lost", async (_, { drop }) => drop()],
  [
    "a gateway failed",
    async (_, { send: answer }) => {
      await answer(new Response("<html>", { status: 502 }));
    },
  ],
] satisfies [string, Fault][])(
  "once %s, no later refusal of an order is believed",
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
      // Nor does it show the order.
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
    expect((await compare(user))[0]).toMatchObject({ ours: { status: "unknown" } });
    heal();
    expect(await send(user, RESTING, "key")).toMatchObject({ status: 200 });
    await converge(user);
    expect(await disagreements(user)).toEqual([]);
  },
);

it("an order that arrives after it was given up is adopted and canceled", async () => {
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
  await converge(user);
  heal();
  expect((await compare(user))[0]).toMatchObject({ ours: { status: "abandoned" }, venue: null });
  arrive();
  await expect
    .poll(async () => (await compare(user))[0]?.venue, { timeout: 60_000 })
    .not.toBeNull();
  const look = async () => {
    await converge(user);
    return (await compare(user))[0];
  };
  await expect.poll(look, { timeout: 60_000 }).toMatchObject({
    ours: { status: "canceled", held: 0n },
    venue: { status: "canceled" },
  });
  expect(await disagreements(user)).toEqual([]);
});

it("50 requests with one key at once make one order, and all get its answer in the end", async () => {
  const user = await makeLiveUser();
  failPosts(TAKEN["the connection is lost on the way back"] ?? (async () => {}), 1);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => send(user, RESTING, "key")));
  heal();
  for (const { status } of outcomes) expect([200, 502]).toContain(status);
  const askAll = async () => {
    const again = await Promise.all(Array.from({ length: 50 }, () => send(user, RESTING, "key")));
    return [...new Set(again.map(({ status }) => status))];
  };
  await expect.poll(askAll, { timeout: 25_000 }).toEqual([200]);
  expect((await compare(user)).filter(({ venue: at }) => at !== null)).toHaveLength(1);
  await converge(user);
  expect(await disagreements(user)).toEqual([]);
});
