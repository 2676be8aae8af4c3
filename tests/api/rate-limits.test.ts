import { afterEach, describe, expect, it, vi } from "vitest";
import type { ApiAnswer, ApiRequest } from "@/tests/support/api/call-api";
import { readError } from "@/tests/support/api/client";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { databaseState, expectError } from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

type Call = (method: string, path: string, request?: ApiRequest) => Promise<ApiAnswer>;

/** Restarts the service with these limits. */
async function startWith(variables: Record<string, string>): Promise<Call> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  const { callApi } = await import("@/tests/support/api/call-api");
  return callApi;
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const LIMITS = { RATE_LIMIT_READS_PER_S: "3", RATE_LIMIT_WRITES_PER_S: "2" };

interface Burst {
  passed: number;
  /** The first rejection, if any. */
  refused: ApiAnswer | null;
  /** The most requests that the limits allow in the elapsed time. */
  most: number;
}

/** Sends the same request concurrently, more often than any limit of these tests allows. */
async function askOften(ask: () => Promise<ApiAnswer>, perSecond = 0, burst = 0): Promise<Burst> {
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 60 }, ask));
  const seconds = (performance.now() - startedAt) / 1_000;
  const refused = answers.filter((answer) => answer.headers.get("retry-after") !== null);
  return {
    passed: answers.length - refused.length,
    refused: refused[0] ?? null,
    most: Math.floor(burst + perSecond * seconds),
  };
}

/** Returns the rejection of a key over its limit. */
async function readRefusal(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const { refused } = await askOften(ask);
  if (!refused) throw new Error("nothing was refused");
  return refused;
}

const read = (call: Call, key: string) => () => call("GET", "/v1/key", { key });
const write = (call: Call, key: string) => () => call("DELETE", "/v1/orders/x", { key });

describe("429", () => {
  it("reads have a burst of four seconds, then RATE_LIMITED with Retry-After without any effect", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const before = await databaseState();
    const { passed, refused, most } = await askOften(read(call, key), 3, 12);
    expect(await databaseState()).toEqual(before);
    expect(passed).toBeGreaterThanOrEqual(12);
    expect(passed).toBeLessThanOrEqual(most);
    expect(refused?.status).toBe(429);
    const seconds = refused?.headers.get("retry-after") ?? "";
    expect(seconds).toMatch(/^[1-9]\d*$/);
    expectError(refused as ApiAnswer, { code: "RATE_LIMITED", message: `${seconds} s` });
    expect(refused?.headers.get("ratelimit-policy")).toBe('"reads";q=12;w=4');
    expect(refused?.headers.get("ratelimit")).toMatch(/^"reads";r=0;t=[34]$/);
  });

  it("writes have a burst of three seconds and a separate count", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const { passed, refused, most } = await askOften(write(call, key), 2, 6);
    expect(passed).toBeGreaterThanOrEqual(6);
    expect(passed).toBeLessThanOrEqual(most);
    expect(refused?.status).toBe(429);
    expect((await read(call, key)()).status).toBe(200);
  });

  it("an order over the limit is not placed, and its idempotency key stays unused", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    await readRefusal(write(call, key));
    const listed = await call("GET", "/v1/markets?limit=1", { key });
    const [market] = (listed.body.data as unknown as { markets: TestMarket[] }).markets;
    const [tokenId, amount] = [market?.outcomes[0].tokenId, 2];
    const order = { tokenId, action: "BUY", orderType: "market", amount };
    let [body, before, attempts] = [{}, await databaseState(), 0];
    let refused: ApiAnswer;
    // On a slow machine, the limit has refilled before the order that follows the refusal.
    do {
      await readRefusal(() => call("POST", "/v1/orders", { key, body: { ...order, amount: 0 } }));
      body = { ...order, idempotencyKey: `over-the-limit-${(attempts += 1)}` };
      before = await databaseState();
      refused = await call("POST", "/v1/orders", { key, body });
    } while (refused.status === 200 && attempts < 20);
    expectError(refused, { code: "RATE_LIMITED" });
    expect(await databaseState()).toEqual(before);
    const unlimited = await startWith({ RATE_LIMIT_WRITES_PER_S: "0" });
    const placed = await unlimited("POST", "/v1/orders", { key, body });
    expect(placed.status).toBe(200);
    expect(placed.headers.get("idempotent-replayed")).toBeNull();
  });

  it("writes at two processes together have the limit of one", async () => {
    const [here, there] = [await startWith(LIMITS), await startWith(LIMITS)];
    const { apiKey: key } = await makeUser();
    let turn = 0;
    const alternate = () => write((turn += 1) % 2 === 0 ? here : there, key)();
    const { passed, refused, most } = await askOften(alternate, 2, 6);
    expect(passed).toBeGreaterThanOrEqual(6);
    expect(passed).toBeLessThanOrEqual(most);
    expect(refused?.status).toBe(429);
  });

  it("each key has its own limit, also for the same user", async () => {
    const call = await startWith(LIMITS);
    const [one, two] = [await makeUser(), await makeUser()];
    expect((await readRefusal(read(call, one.apiKey))).status).toBe(429);
    expect((await read(call, two.apiKey)()).status).toBe(200);
  });

  it("one second after a rejection, one second of requests is accepted", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const refused = await readRefusal(write(call, key));
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    const { passed, most } = await askOften(write(call, key), 2, 6);
    expect(passed).toBeGreaterThanOrEqual(2);
    expect(passed).toBeLessThanOrEqual(most);
  });

  it("invalid requests count, but not requests without a valid key", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    for (let count = 0; count < 30; count += 1) {
      const answer = await call("GET", "/v1/key", { headers: { authorization: "Bearer x" } });
      expect(answer.status).toBe(401);
    }
    const bad = () => call("POST", "/v1/orders", { key, body: {} });
    expect((await bad()).status).toBe(400);
    expect((await readRefusal(bad)).status).toBe(429);
  });
});

describe("400", () => {
  it("RATE_LIMIT_STATUS=400 returns the same error as a 400", async () => {
    const call = await startWith({ ...LIMITS, RATE_LIMIT_STATUS: "400" });
    const { apiKey: key } = await makeUser();
    const refused = await readRefusal(read(call, key));
    expect(refused.status).toBe(400);
    expect(readError(refused).code).toBe("RATE_LIMITED");
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });
});

describe("200", () => {
  it("every response to a key has its limit and the remaining requests", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const first = await read(call, key)();
    expect(first.headers.get("ratelimit-policy")).toBe('"reads";q=12;w=4');
    expect(first.headers.get("ratelimit")).toBe('"reads";r=11;t=1');
    const missing = await write(call, key)();
    expect(missing.status).toBe(404);
    expect(missing.headers.get("ratelimit-policy")).toBe('"writes";q=6;w=3');
    expect(missing.headers.get("ratelimit")).toBe('"writes";r=5;t=1');
    const twice = [
      await call("GET", "/v1/orders/open", { key }),
      await call("GET", "/v1/orders/open", { key }),
    ];
    const left = twice.map(({ headers }) =>
      Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]),
    );
    expect(left[0], "a response that is kept has its own figures").toBeGreaterThan(left[1] ?? 0);
    for (const open of [await call("GET", "/health"), await call("GET", "/v1/key")]) {
      expect(open.headers.get("ratelimit")).toBeNull();
    }
  });

  it("0 turns a limit off", async () => {
    const call = await startWith({ RATE_LIMIT_READS_PER_S: "0", RATE_LIMIT_WRITES_PER_S: "1" });
    const { apiKey: key } = await makeUser();
    expect((await askOften(read(call, key))).refused).toBeNull();
    expect((await readRefusal(write(call, key))).status).toBe(429);
  });

  it("health and the document are not limited", async () => {
    const call = await startWith({ RATE_LIMIT_READS_PER_S: "1", RATE_LIMIT_WRITES_PER_S: "1" });
    expect((await askOften(() => call("GET", "/health"))).refused).toBeNull();
    expect((await askOften(() => call("GET", "/v1/openapi.json"))).refused).toBeNull();
  });

  it("the documented defaults allow bursts of 200 reads and 60 writes", async () => {
    const call = await startWith({ RATE_LIMIT_READS_PER_S: "", RATE_LIMIT_WRITES_PER_S: "" });
    const { apiKey: key } = await makeUser();
    const reads = await Promise.all(Array.from({ length: 200 }, read(call, key)));
    expect(new Set(reads.map((answer) => answer.status))).toEqual(new Set([200]));
    const writes = await Promise.all(Array.from({ length: 60 }, write(call, key)));
    expect(new Set(writes.map((answer) => answer.status))).toEqual(new Set([404]));
  });
});

interface TestMarket {
  outcomes: [{ tokenId: string }];
}
