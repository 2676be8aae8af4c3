import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb, selectRows } from "@/lib/db/client";
import { insertApiRequests } from "@/lib/db/queries/api-requests";
import { newId } from "@/lib/ids";
import { sql } from "drizzle-orm";
import { listRequestRuns, listRequests } from "@/lib/api/middleware/request-log";
import {
  KEPT_DAYS,
  KEPT_REQUESTS,
  recordRequest,
  startRequestLog,
  watchRequests,
} from "@/lib/api/middleware/request-log";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { placeOrder } from "@/lib/orders/place-order";
import { PlaceOrderBody } from "@/lib/schemas/orders";
import { usdc } from "@/lib/units";
import { freshMarket, getToken } from "@/tests/support/exchange/orders";
import { makeUser } from "@/tests/support/users";
import type { Principal } from "@/lib/auth/principal";

useFreshDatabase();

const START = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
let now = START;
afterAll(setClock(() => now));
beforeEach(() => {
  now = START;
});

let users = 0;
const nextUser = (): Principal => {
  users += 1;
  return { userId: `usr_${users}`, mode: "paper", keyId: null, scopes: ["read"] };
};

type Entry = Parameters<typeof recordRequest>[0];

function entry(userId: string, change: Partial<Entry> = {}): Entry {
  return {
    id: newId("req"),
    userId,
    keyId: "key00001",
    method: "GET",
    path: "/v1/orders",
    status: 200,
    errorCode: null,
    message: null,
    durationMs: 3,
    orderId: null,
    createdAt: new Date(now),
    ...change,
  };
}

async function countRequests(userId: string): Promise<number> {
  const [row] = await selectRows<{ total: number }>(
    await getDb(),
    sql`select count(*)::int as total from api_requests where user_id = ${userId}`,
  );
  return row?.total ?? -1;
}

const several = (userId: string, count: number) =>
  Array.from({ length: count }, () => entry(userId));

describe("recording requests", () => {
  it("records nothing before the start or after the stop", async () => {
    const { userId } = nextUser();
    recordRequest(entry(userId));
    const stop = startRequestLog();
    await stop();
    recordRequest(entry(userId));
    expect(await countRequests(userId)).toBe(0);
  });

  it("writes pending entries when it stops", async () => {
    const { userId } = nextUser();
    const stop = startRequestLog();
    recordRequest(entry(userId));
    expect(await countRequests(userId)).toBe(0);
    await stop();
    expect(await countRequests(userId)).toBe(1);
  });

  it("writes within about a second", async () => {
    const { userId } = nextUser();
    const stop = startRequestLog();
    recordRequest(entry(userId));
    await vi.waitFor(async () => expect(await countRequests(userId)).toBe(1), { timeout: 5_000 });
    await stop();
  });

  it("are written without the usual pause while a browser of their user watches, which is told", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const [watched, other] = [nextUser().userId, nextUser().userId];
    const stop = startRequestLog();
    vi.useRealTimers();
    recordRequest(entry(other));
    expect(await countRequests(other)).toBe(0);
    const stopWatching = await new Promise<() => void>((resolve) => {
      const watching = watchRequests(watched, () => resolve(watching));
      recordRequest(entry(watched));
    });
    expect(await countRequests(watched)).toBe(1);
    stopWatching();
    recordRequest(entry(watched));
    await stop();
    expect(await countRequests(watched)).toBe(2);
  });

  it("writes a full batch immediately", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { userId } = nextUser();
    const stop = startRequestLog();
    vi.useRealTimers();
    for (const one of several(userId, 200)) recordRequest(one);
    await vi.waitFor(async () => expect(await countRequests(userId)).toBe(200), { timeout: 5_000 });
    await stop();
  });

  it("leaves out a user's requests beyond 300 in a second, and no other user's", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const [busy, quiet] = [nextUser().userId, nextUser().userId];
    const stop = startRequestLog();
    for (const one of several(busy, 450)) recordRequest(one);
    recordRequest(entry(quiet));
    vi.advanceTimersByTime(1_000);
    recordRequest(entry(busy));
    vi.useRealTimers();
    await stop();
    expect([await countRequests(busy), await countRequests(quiet)]).toEqual([301, 1]);
  });

  it("drops a batch that cannot be written and continues with the next", async () => {
    const { userId } = nextUser();
    const stop = startRequestLog();
    // Postgres cannot store NUL.
    for (const one of several(userId, 199)) recordRequest(one);
    recordRequest(entry(userId, { path: "/v1/\0" }));
    await new Promise((resolve) => setImmediate(resolve));
    recordRequest(entry(userId));
    await stop();
    expect(await countRequests(userId)).toBe(1);
  });

  it("records a response only once", async () => {
    const { userId } = nextUser();
    const one = entry(userId);
    const stop = startRequestLog();
    recordRequest(one);
    recordRequest(one);
    await stop();
    expect(await countRequests(userId)).toBe(1);
  });
});

it("a user's continuous requests are recorded up to 300 first and 70 per second after that", async () => {
  const [busy, quiet] = [nextUser(), nextUser()];
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stop = startRequestLog();
  for (const one of several(busy.userId, 400)) recordRequest(one);
  vi.advanceTimersByTime(1_000);
  for (const one of several(busy.userId, 100)) recordRequest(one);
  recordRequest(entry(quiet.userId));
  vi.useRealTimers();
  await stop();
  expect(await countRequests(busy.userId)).toBe(370);
  expect(await countRequests(quiet.userId)).toBe(1);
});

describe("deleting requests", () => {
  it(`keeps a user's newest ${KEPT_REQUESTS} and all of other users`, async () => {
    const [busy, quiet] = [nextUser(), nextUser()];
    const db = await getDb();
    await insertApiRequests(db, several(quiet.userId, 3));
    for (let written = 0; written < KEPT_REQUESTS; written += 1_000) {
      await insertApiRequests(db, several(busy.userId, 1_000));
    }
    now += HOUR_MS / 2;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stop = startRequestLog();
    const newest = several(busy.userId, 1_000);
    for (const [index, one] of newest.entries()) {
      recordRequest(one);
      // No more than this are recorded at once.
      if (index % 250 === 249) vi.advanceTimersByTime(4_000);
    }
    vi.useRealTimers();
    await stop();
    expect(await countRequests(busy.userId)).toBe(KEPT_REQUESTS);
    expect(await countRequests(quiet.userId)).toBe(3);
    const { requests } = await listRequests(busy, {});
    expect(requests[0]?.id).toBe(newest.at(-1)?.id);
  }, 60_000);

  it(`deletes after ${KEPT_DAYS} days`, async () => {
    const { userId } = nextUser();
    const stop = startRequestLog();
    const old = new Date(now - KEPT_DAYS * 24 * HOUR_MS + HOUR_MS / 2);
    recordRequest(entry(userId, { createdAt: old }));
    recordRequest(entry(userId));
    now += HOUR_MS;
    await stop();
    expect(await countRequests(userId)).toBe(1);
  });
});

describe("listing requests", () => {
  it("filters by key, part of the path and status class, and shows only the user's own", async () => {
    const [user, other] = [nextUser(), nextUser()];
    await insertApiRequests(await getDb(), [
      entry(user.userId, { id: "req_a", path: "/a" }),
      entry(user.userId, { id: "req_b", path: "/b", keyId: "key00002" }),
      entry(user.userId, { id: "req_c", path: "/c", status: 404, errorCode: "ORDER_NOT_FOUND" }),
      entry(user.userId, { id: "req_d", path: "/d", status: 502, errorCode: "NEVER_HEARD_OF" }),
      entry(user.userId, { id: "req_e", path: "/e", status: null }),
      entry(other.userId, { id: "req_f", path: "/f" }),
    ]);
    const listPaths = async (query: Parameters<typeof listRequests>[1]) =>
      (await listRequests(user, query)).requests.map(({ path }) => path);
    expect(await listPaths({})).toEqual(["/e", "/d", "/c", "/b", "/a"]);
    expect(await listPaths({ keyId: "key00002" })).toEqual(["/b"]);
    expect(await listPaths({ path: "b" })).toEqual(["/b"]);
    expect(await listPaths({ path: "%" })).toEqual([]);
    expect(await listPaths({ statusClass: 2 })).toEqual(["/b", "/a"]);
    expect(await listPaths({ statusClass: 4 })).toEqual(["/c"]);
    expect(await listPaths({ statusClass: 5 })).toEqual(["/d"]);
    expect(await listPaths({ statusClass: "lost" })).toEqual(["/e"]);
    const { requests } = await listRequests(user, {});
    expect(requests.map(({ errorCode }) => errorCode)).toEqual([
      null,
      null,
      "ORDER_NOT_FOUND",
      null,
      null,
    ]);
  });

  it("pages through all of them, each exactly once", async () => {
    const user = nextUser();
    const made = several(user.userId, 120);
    await insertApiRequests(await getDb(), made);
    const seen: string[] = [];
    let nextCursor: string | undefined;
    do {
      const page = await listRequests(user, { nextCursor });
      seen.push(...page.requests.map(({ id }) => id));
      nextCursor = page.nextCursor ?? undefined;
    } while (nextCursor !== undefined);
    expect(seen).toEqual(made.map(({ id }) => id).toReversed());
  });

  describe("in runs", () => {
    const at = (seconds: number) => ({ createdAt: new Date(START + seconds * 1_000) });
    const listRuns = async (user: Principal, query: Parameters<typeof listRequestRuns>[1] = {}) =>
      (await listRequestRuns(user, query)).runs;
    const readTerms = ({ newest, count }: Awaited<ReturnType<typeof listRuns>>[number]) => [
      newest.path,
      count,
    ];

    it("makes one run of consecutive requests with the same key, method, path, status and error", async () => {
      const [user, other] = [nextUser(), nextUser()];
      const refused = { status: 404, errorCode: "ORDER_NOT_FOUND" };
      await insertApiRequests(await getDb(), [
        entry(user.userId, { ...at(1), path: "/a", durationMs: 9 }),
        entry(user.userId, { ...at(2), path: "/a", durationMs: 2 }),
        entry(other.userId, { ...at(3), path: "/b" }),
        entry(user.userId, { ...at(4), path: "/a", durationMs: 5 }),
        entry(user.userId, { ...at(5), path: "/b" }),
        entry(user.userId, { ...at(6), path: "/a" }),
        entry(user.userId, { ...at(7), path: "/a", keyId: "key00002" }),
        entry(user.userId, { ...at(8), path: "/a", keyId: "key00002", method: "DELETE" }),
        entry(user.userId, { ...at(9), path: "/a", ...refused }),
        entry(user.userId, { ...at(10), path: "/a", ...refused, errorCode: "MARKET_NOT_FOUND" }),
        entry(user.userId, { ...at(11), path: "/a", status: null }),
        entry(user.userId, { ...at(12), path: "/a", status: null }),
      ]);
      const runs = await listRuns(user);
      expect(runs.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1, 1, 1, 3]);
      expect(runs.at(-1)).toMatchObject({
        newest: { path: "/a", createdAt: at(4).createdAt },
        firstAt: at(1).createdAt,
        fastestMs: 2,
        slowestMs: 9,
      });
      // A filter leaves requests out, and the others follow each other.
      expect((await listRuns(user, { path: "a", keyId: "key00001" })).map(readTerms)).toEqual([
        ["/a", 2],
        ["/a", 1],
        ["/a", 1],
        ["/a", 4],
      ]);
      expect(await listRuns(nextUser())).toEqual([]);
    });

    it("leaves each request that placed an order alone", async () => {
      const user = nextUser();
      const post = { method: "POST" };
      await insertApiRequests(await getDb(), [
        entry(user.userId, { ...at(1), ...post }),
        entry(user.userId, { ...at(2), ...post }),
        entry(user.userId, { ...at(3), ...post, orderId: newId("ord") }),
        entry(user.userId, { ...at(4), ...post, orderId: newId("ord") }),
        entry(user.userId, { ...at(5), ...post }),
      ]);
      expect((await listRuns(user)).map(({ count }) => count)).toEqual([1, 1, 1, 2]);
    });

    it("pages through all runs, and a run through all of its requests, each exactly once", async () => {
      const user = nextUser();
      // Runs of 1, 2, 3, 1, 2, 3, … requests.
      const made = Array.from({ length: 120 }, (_, run) =>
        Array.from({ length: (run % 3) + 1 }, () => entry(user.userId, { path: `/${run % 7}` })),
      );
      const long = Array.from({ length: 120 }, () => entry(user.userId, { path: "/long" }));
      await insertApiRequests(await getDb(), [...made.flat(), ...long]);
      const counts: number[] = [];
      let key = "";
      let nextCursor: string | undefined;
      do {
        const page = await listRequestRuns(user, { nextCursor });
        counts.push(...page.runs.map(({ count }) => count));
        key ||= page.runs[0]?.key ?? "";
        nextCursor = page.nextCursor ?? undefined;
      } while (nextCursor !== undefined);
      expect(counts).toEqual([120, ...made.map(({ length }) => length).toReversed()]);

      const seen: string[] = [];
      do {
        const page = await listRequests(user, { run: key, nextCursor });
        seen.push(...page.requests.map(({ id }) => id));
        nextCursor = page.nextCursor ?? undefined;
      } while (nextCursor !== undefined);
      expect(seen).toEqual(long.map(({ id }) => id).toReversed());
    });

    it("rejects a key that isn't a run's", async () => {
      for (const run of ["", "x", "x.y"]) {
        await expect(listRequests(nextUser(), { run })).rejects.toMatchObject({
          code: "INVALID_CURSOR",
        });
      }
    });
  });

  it("rebuild the body of a placed order from its record, so that sending it again replays the response", async () => {
    const user = await makeUser(usdc(100_000_000n));
    const [tokenId = ""] = [getToken(freshMarket(), 0)];
    const body = PlaceOrderBody.parse({
      tokenId,
      action: "BUY",
      orderType: "limit",
      price: 0.05,
      shares: 20,
      postOnly: true,
      idempotencyKey: "it's mine",
    });
    const { orderId, answer } = await placeOrder(user.principal, body);
    expect(answer.status).toBe(200);
    const path = "/v1/orders";
    await insertApiRequests(await getDb(), [
      entry(user.userId, { id: "req_placed", method: "POST", path, orderId }),
      entry(user.userId, { id: "req_preview", method: "POST", path: "/v1/orders/preview" }),
      entry(user.userId, { id: "req_read", path }),
      entry(user.userId, { id: "req_balance", path: "/v1/account/balance" }),
    ]);
    const { requests } = await listRequests(user.principal, {});
    const byId = new Map(requests.map((request) => [request.id, request]));
    expect(byId.get("req_preview")).toMatchObject({ hasBody: true, body: null });
    expect(byId.get("req_read")).toMatchObject({ hasBody: false, takesQuery: true, body: null });
    expect(byId.get("req_balance")).toMatchObject({ hasBody: false, takesQuery: false });
    const rebuilt = PlaceOrderBody.parse(JSON.parse(byId.get("req_placed")?.body ?? ""));
    expect(rebuilt).toEqual(body);
    const again = await placeOrder(user.principal, rebuilt);
    expect(again).toEqual({ orderId, answer, isReplay: true });
  });
});
