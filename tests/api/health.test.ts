import { createServer, type Server, type Socket } from "node:net";
import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { getDatabase, openPostgres, useDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import type { Operation } from "@/lib/api/operations/operation";
import { OPERATIONS } from "@/lib/api/operations";
import { Health } from "@/lib/schemas/account";
import { type ApiAnswer, callApi } from "@/tests/support/api/call-api";
import { readData, readError } from "@/tests/support/api/client";
import { loadMarkets, orderFor, useExchange } from "@/tests/support/api/exchange";
import {
  databaseState,
  expectError,
  expectRefusal,
  expectUnchanged,
} from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

useExchange();

const get = () => callApi("GET", "/health");

/** Runs `work` with another database, which is closed afterwards. */
async function withDatabase<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const original = await getDatabase();
  useDatabase(database);
  try {
    return await work();
  } finally {
    useDatabase(original);
    await database.close();
  }
}

describe("200", () => {
  it("returns service and status without a key", async () => {
    const answer = await get();
    expect(answer.text).toBe('{"ok":true,"data":{"service":"ante","status":"ok"}}');
    expect(readData(Health, answer)).toEqual({ service: "ante", status: "ok" });
  });

  it("ignores wrong keys and unknown parameters", async () => {
    for (const authorization of ["", "Bearer wrong", "Basic eDp5", "Bearer a, Bearer b"]) {
      const answer = await callApi("GET", "/health?verbose=1", { headers: { authorization } });
      expect(answer.status).toBe(200);
    }
  });

  it("is not cached, and every response has its own request id", async () => {
    const [one, two] = [await get(), await get()];
    expect(one.headers.get("cache-control")).toBe("no-store");
    expect(one.headers.get("x-request-id")).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(two.headers.get("x-request-id")).not.toBe(one.headers.get("x-request-id"));
  });
});

describe("400", () => {
  it("a repeated parameter is rejected", () =>
    expectRefusal({ code: "VALIDATION_ERROR", message: "a" }, () =>
      callApi("GET", "/health?a=1&a=2"),
    ));
});

describe("405", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE"])("%s", async (method) => {
    await expectUnchanged(async () => {
      const answer = await callApi(method, "/health");
      expectError(answer, { code: "METHOD_NOT_ALLOWED", message: "GET" });
      expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    });
  });
});

describe("502 while the database doesn't respond", () => {
  let silent: Server;
  let silentUrl: string;
  const sockets: Socket[] = [];
  const REFUSING = "postgres://nobody@127.0.0.1:1/nothing";

  beforeAll(async () => {
    silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("it listens on a port");
    silentUrl = `postgres://nobody@127.0.0.1:${address.port}/nothing`;
  });

  afterAll(() => void silent.close());

  it("a database that refuses connections makes the service unhealthy immediately", async () => {
    const answer = await withDatabase(openPostgres(REFUSING), get);
    expect(answer.status).toBe(502);
    expect(readError(answer).code).toBe("DATABASE_UNAVAILABLE");
  });

  it("a database that doesn't respond makes the service unhealthy within about a second", async () => {
    let elapsed = 0;
    const answer = await withDatabase(openPostgres(silentUrl), async () => {
      const startedAt = performance.now();
      const late = await get();
      elapsed = performance.now() - startedAt;
      for (const socket of sockets) socket.destroy();
      return late;
    });
    expect({ status: answer.status, code: readError(answer).code }).toEqual({
      status: 502,
      code: "DATABASE_UNAVAILABLE",
    });
    expect(elapsed).toBeGreaterThan(900);
    expect(elapsed).toBeLessThan(3_000);
  });

  it("every operation that needs it returns 502 with the envelope, and the service recovers", async () => {
    const user = await makeUser();
    const { free } = await loadMarkets(user.apiKey);
    const body = orderFor(free, { idempotencyKey: "while-away" });
    const before = await databaseState();
    const answers: [string, ApiAnswer][] = [];
    await withDatabase(openPostgres(REFUSING), async () => {
      for (const [id, spec] of Object.entries<Operation>(OPERATIONS)) {
        const path = spec.path.replaceAll(/\{\w+\}/g, "x");
        const answer = await callApi(spec.method, path, {
          key: user.apiKey,
          ...(spec.method === "POST" ? { body } : {}),
        });
        answers.push([id, answer]);
      }
    });
    for (const [id, answer] of answers) {
      if (["getOpenApi", "getAsyncApi"].includes(id)) {
        expect(answer.status).toBe(200);
        continue;
      }
      expect({ id, status: answer.status, code: readError(answer).code }).toEqual({
        id,
        status: 502,
        code: "DATABASE_UNAVAILABLE",
      });
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres|select/i);
    }
    expect(await databaseState()).toEqual(before);
    expect((await get()).status).toBe(200);
    const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
  });
});
