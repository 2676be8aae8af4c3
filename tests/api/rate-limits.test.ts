import { afterEach, describe, expect, it, vi } from "vitest";
import type { ApiAnswer, ApiRequest } from "@/tests/support/api";
import { errorOf } from "@/tests/support/api-client";
import { useFreshDatabase } from "@/tests/support/database";
import { databaseState, expectError } from "@/tests/support/api-state";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

type Call = (method: string, path: string, request?: ApiRequest) => Promise<ApiAnswer>;

/** The service as it starts with these limits. */
async function startWith(variables: Record<string, string>): Promise<Call> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  const { callApi } = await import("@/tests/support/api");
  return callApi;
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const LIMITS = { RATE_LIMIT_READS_PER_S: "3", RATE_LIMIT_WRITES_PER_S: "2" };

interface Burst {
  passed: number;
  /** The first refusal, if there was one. */
  refused: ApiAnswer | null;
  /** How many the limits may let pass at most in the time that it took. */
  most: number;
}

/** Asks the same many times at once, more often than any limit of these tests allows. */
async function burst(ask: () => Promise<ApiAnswer>, perSecond = 0, extra = 0): Promise<Burst> {
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 60 }, ask));
  const seconds = (performance.now() - startedAt) / 1_000;
  const refused = answers.filter((answer) => answer.headers.get("retry-after") !== null);
  return {
    passed: answers.length - refused.length,
    refused: refused[0] ?? null,
    most: perSecond * Math.ceil(seconds) + extra * Math.ceil(seconds / 10),
  };
}

/** The refusal that a key earns by asking too often. */
async function refusalOf(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const { refused } = await burst(ask);
  if (!refused) throw new Error("nothing was refused");
  return refused;
}

const read = (call: Call, key: string) => () => call("GET", "/v1/key", { key });
const write = (call: Call, key: string) => () => call("DELETE", "/v1/orders/x", { key });

describe("429", () => {
  it("reads: four seconds' worth at once, then RATE_LIMITED with Retry-After, changing nothing", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const before = await databaseState();
    const { passed, refused, most } = await burst(read(call, key), 3, 9);
    expect(await databaseState()).toEqual(before);
    expect(passed).toBeGreaterThanOrEqual(12);
    expect(passed).toBeLessThanOrEqual(most);
    expect(refused?.status).toBe(429);
    const seconds = refused?.headers.get("retry-after") ?? "";
    expect(seconds).toMatch(/^[1-9]\d*$/);
    expectError(refused as ApiAnswer, { code: "RATE_LIMITED", message: `${seconds} s` });
  });

  it("writes: three seconds' worth at once, counted apart from reads", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const { passed, refused, most } = await burst(write(call, key), 2, 4);
    expect(passed).toBeGreaterThanOrEqual(6);
    expect(passed).toBeLessThanOrEqual(most);
    expect(refused?.status).toBe(429);
    expect((await read(call, key)()).status).toBe(200);
  });

  it("an order over the limit is not placed, and its key is free afterwards", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    await refusalOf(write(call, key));
    const listed = await call("GET", "/v1/markets?limit=1", { key });
    const [market] = (listed.body.data as unknown as { markets: TestMarket[] }).markets;
    const body = {
      tokenId: market?.outcomes[0].tokenId,
      action: "BUY",
      orderType: "market",
      amount: 2,
      idempotencyKey: "over-the-limit",
    };
    const before = await databaseState();
    await refusalOf(() => call("POST", "/v1/orders", { key, body: { ...body, amount: 0 } }));
    const refused = await call("POST", "/v1/orders", { key, body });
    expectError(refused, { code: "RATE_LIMITED" });
    expect(await databaseState()).toEqual(before);
    const unlimited = await startWith({ RATE_LIMIT_WRITES_PER_S: "0" });
    const placed = await unlimited("POST", "/v1/orders", { key, body });
    expect(placed.status).toBe(200);
    expect(placed.headers.get("idempotent-replayed")).toBeNull();
  });

  it("one key's limit is not another's, not even of the same user", async () => {
    const call = await startWith(LIMITS);
    const [one, two] = [await makeUser(), await makeUser()];
    expect((await refusalOf(read(call, one.apiKey))).status).toBe(429);
    expect((await read(call, two.apiKey)()).status).toBe(200);
  });

  it("who is refused comes back: one second later one second's worth is let in", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    const refused = await refusalOf(write(call, key));
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    const { passed, most } = await burst(write(call, key), 2, 4);
    expect(passed).toBeGreaterThanOrEqual(2);
    expect(passed).toBeLessThanOrEqual(most);
  });

  it("requests that are refused for their content count, those without a valid key do not", async () => {
    const call = await startWith(LIMITS);
    const { apiKey: key } = await makeUser();
    for (let count = 0; count < 30; count += 1) {
      const answer = await call("GET", "/v1/key", { headers: { authorization: "Bearer x" } });
      expect(answer.status).toBe(401);
    }
    const bad = () => call("POST", "/v1/orders", { key, body: {} });
    expect((await bad()).status).toBe(400);
    expect((await refusalOf(bad)).status).toBe(429);
  });
});

describe("400", () => {
  it("RATE_LIMIT_STATUS=400 gives the same refusal to clients that know no 429", async () => {
    const call = await startWith({ ...LIMITS, RATE_LIMIT_STATUS: "400" });
    const { apiKey: key } = await makeUser();
    const refused = await refusalOf(read(call, key));
    expect(refused.status).toBe(400);
    expect(errorOf(refused).code).toBe("RATE_LIMITED");
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });
});

describe("200", () => {
  it("0 switches a limit off", async () => {
    const call = await startWith({ RATE_LIMIT_READS_PER_S: "0", RATE_LIMIT_WRITES_PER_S: "1" });
    const { apiKey: key } = await makeUser();
    expect((await burst(read(call, key))).refused).toBeNull();
    expect((await refusalOf(write(call, key))).status).toBe(429);
  });

  it("health and the document are not limited", async () => {
    const call = await startWith({ RATE_LIMIT_READS_PER_S: "1", RATE_LIMIT_WRITES_PER_S: "1" });
    expect((await burst(() => call("GET", "/health"))).refused).toBeNull();
    expect((await burst(() => call("GET", "/v1/openapi.json"))).refused).toBeNull();
  });

  it("the documented defaults let 200 reads and 60 writes through at once", async () => {
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
