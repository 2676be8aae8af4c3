import { beforeAll, describe, expect, it } from "vitest";
import { getDatabase, useDatabase } from "@/lib/db/client";
import type { Database, Tx } from "@/lib/db/database";
import { OrderList } from "@/lib/schemas/orders";
import { callApi } from "@/tests/support/api/call-api";
import { readError, read } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
});

const order = () => orderFor(markets.free, { orderType: "market", amount: 5 });
const post = (body: unknown, headers: Record<string, string> = {}) =>
  callApi("POST", "/v1/orders", { key: user.apiKey, body, headers });
const listOrders = async () => (await read(OrderList, "/v1/orders", user.apiKey)).orders;

const GENERATED_KEY = /The idempotencyKey is (auto_\w+)\.$/;

function readGeneratedKey(answer: Awaited<ReturnType<typeof post>>): string {
  expect(answer.status).toBe(502);
  const [, key] = GENERATED_KEY.exec(readError(answer).message) ?? [];
  if (key === undefined) throw new Error(`no key in ${readError(answer).message}`);
  return key;
}

/** Runs with a database whose transactions or statements fail as `spoil` says. */
async function withDatabase<T>(
  {
    transaction,
    ...spoil
  }: Partial<Pick<Tx, "execute" | "select"> & Pick<Database, "transaction">>,
  run: () => Promise<T>,
): Promise<T> {
  const original = await getDatabase();
  const db = new Proxy(original.db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(spoil, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  useDatabase({ ...original, db, transaction: transaction ?? original.transaction });
  try {
    return await run();
  } finally {
    useDatabase(original);
  }
}

const unreachable = () => {
  throw Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
};

/** Commits and loses the connection before the response to the commit. */
async function loseCommit<T>(body: () => Promise<T>): Promise<T> {
  const original = await getDatabase();
  const transaction: Database["transaction"] = async (...args) => {
    await original.transaction(...args);
    throw new Error("Connection terminated unexpectedly");
  };
  return withDatabase({ transaction }, body);
}

describe("a 502 for an order without a key names the generated key", () => {
  it("after a simulated timeout: the key finds the order and places no other", async () => {
    const idempotencyKey = readGeneratedKey(await post(order(), { "x-rehearse": "timeout" }));
    const before = await listOrders();
    expect(before[0]?.idempotencyKey).toBe(idempotencyKey);
    const again = await post({ ...order(), idempotencyKey });
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await listOrders()).toEqual(before);
  });

  it("after a simulated outage: nothing was placed, and the key is free", async () => {
    const before = await listOrders();
    const idempotencyKey = readGeneratedKey(await post(order(), { "x-rehearse": "unavailable" }));
    expect(await listOrders()).toEqual(before);
    const again = await post({ ...order(), idempotencyKey });
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotent-replayed")).toBeNull();
  });

  it("after a commit whose response was lost: the key finds the order", async () => {
    const lost = await loseCommit(() => post(order()));
    expect(readError(lost).code).toBe("DATABASE_UNAVAILABLE");
    const idempotencyKey = readGeneratedKey(lost);
    const before = await listOrders();
    expect(before[0]?.idempotencyKey).toBe(idempotencyKey);
    const again = await post({ ...order(), idempotencyKey });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await listOrders()).toEqual(before);
  });

  it("after an internal error, and while the database is unavailable", async () => {
    const broken = () => {
      throw new Error("a fault");
    };
    const faulty = await withDatabase({ transaction: broken }, () => post(order()));
    expect(readError(faulty).code).toBe("INTERNAL_ERROR");
    expect(readError(faulty).message).toContain("request id is req_");
    const gone = { transaction: unreachable, execute: unreachable, select: unreachable };
    const away = await withDatabase(gone, () => post(order()));
    expect(readError(away).code).toBe("DATABASE_UNAVAILABLE");
    for (const answer of [faulty, away]) {
      const repeated = await post({ ...order(), idempotencyKey: readGeneratedKey(answer) });
      expect(repeated.status).toBe(200);
    }
  });
});

describe("the message names no generated key", () => {
  it("if the order had a key", async () => {
    for (const kind of ["timeout", "unavailable"]) {
      const body = { ...order(), idempotencyKey: `mine ${kind}` };
      expect(readError(await post(body, { "x-rehearse": kind })).message).not.toContain("auto_");
    }
    const gone = { transaction: unreachable, execute: unreachable, select: unreachable };
    const answer = await withDatabase(gone, () => post({ ...order(), idempotencyKey: "mine" }));
    expect(answer.status).toBe(502);
    expect(readError(answer).message).not.toContain("auto_");
  });

  it("if the order was rejected, or the request is not a placement", async () => {
    const refused = await post(orderFor(markets.free, { orderType: "market", amount: 900_000 }));
    expect(refused.status).toBe(400);
    expect(readError(refused).message).not.toContain("auto_");
    const gone = { transaction: unreachable, execute: unreachable, select: unreachable };
    await withDatabase(gone, async () => {
      for (const [method, path] of [
        ["GET", "/v1/orders"],
        ["GET", "/v1/account/balance"],
        ["DELETE", "/v1/orders/ord_1"],
        ["DELETE", "/v1/orders"],
      ] as const) {
        const answer = await callApi(method, path, { key: user.apiKey });
        expect(answer.status, path).toBe(502);
        expect(readError(answer).message, path).not.toMatch(/idempotency|same key|auto_/i);
      }
    });
  });
});
