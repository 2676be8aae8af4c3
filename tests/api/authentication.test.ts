import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { composeKey, KEY_RANDOM_BYTES } from "@/lib/auth/api-key";
import { type Scope, SCOPES } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { users } from "@/lib/db/schema/accounts";
import type { ErrorCode } from "@/lib/errors";
import type { Operation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";
import { createKey } from "@/lib/auth/create-key";
import { revokeKey, rotateKey } from "@/lib/auth/manage-keys";
import { type ApiAnswer, callApi } from "@/tests/support/api/call-api";
import { place } from "@/tests/support/api/client";
import {
  loadMarkets,
  orderFor,
  SECOND_MS,
  type TestMarkets,
  useExchange,
} from "@/tests/support/api/exchange";
import { isApiHandler, loadRouteFiles, toAnswer } from "@/tests/support/api/routes";
import { databaseState, expectError, expectUnchanged } from "@/tests/support/api/state";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

let user: TestUser;
let markets: TestMarkets;
let openOrderId: string;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
  openOrderId = (await place(user.apiKey, orderFor(markets.free))).orderId;
});

const LIST = Object.entries<Operation>(OPERATIONS).map(([id, spec]) => ({
  id: id as OperationId,
  ...spec,
}));
const GUARDED = LIST.filter((route) => route.access !== "open");

/** Builds a request that would succeed with a valid key. */
function call(route: Operation, authorization: string | undefined): Promise<ApiAnswer> {
  return callApi(route.method, realPath(route.path), {
    ...(route.method === "POST" ? { body: orderFor(markets.free) } : {}),
    headers: authorization === undefined ? {} : { authorization },
  });
}

function realPath(path: string): string {
  return path
    .replace("{orderId}", openOrderId)
    .replace("{marketId}", markets.free.id)
    .replace("{positionId}", markets.free.outcomes[0].tokenId);
}

const newKey = async (scopes: readonly Scope[] = ["read"], expiresAt: Date | null = null) =>
  createKey(await getDb(), { userId: user.userId, name: "k", mode: "paper", scopes, expiresAt });
const balance = (authorization: string) =>
  callApi("GET", "/v1/account/balance", { headers: { authorization } });

/** Asserts a rejection for the key, with the challenge of a 401. */
function expect401(
  code: ErrorCode,
  ask: () => Promise<ApiAnswer>,
  message: string | RegExp = "",
): Promise<void> {
  return expectUnchanged(async () => {
    const answer = await ask();
    expectError(answer, { code, message });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns random bytes that give a key the public id. */
function withId(id: string): Uint8Array {
  const bytes = new Uint8Array(KEY_RANDOM_BYTES);
  [...id].forEach((character, index) => {
    bytes[index * 2 + 1] = ALPHABET.indexOf(character);
  });
  return bytes;
}

const other = (character: string | undefined) => (character === "0" ? "1" : "0");
const swap = (key: string, index: number) =>
  `${key.slice(0, index)}${other(key[index])}${key.slice(index + 1)}`;

describe("200", () => {
  it.each(["Bearer ", "bearer ", "BEARER ", "Bearer    "])(
    "the scheme can be written %j",
    async (scheme) => {
      expect((await balance(`${scheme}${user.apiKey}`)).status).toBe(200);
    },
  );

  it.each(LIST.filter((route) => route.access === "open"))(
    "$method $path needs no key",
    async (route) => {
      expect((await call(route, undefined)).status).toBe(200);
      expect((await call(route, "Bearer wrong")).status).toBe(200);
    },
  );

  it("a key works until the millisecond before it expires", async () => {
    const { apiKey } = await newKey(["read"], new Date(clock.now() + SECOND_MS));
    clock.advance(SECOND_MS - 1);
    expect((await balance(`Bearer ${apiKey}`)).status).toBe(200);
    clock.advance(1);
    await expect401("API_KEY_EXPIRED", () => balance(`Bearer ${apiKey}`), /2026-11-21T12:00:03/);
  });

  it("a rotated key works during the overlap, its successor immediately", async () => {
    const old = await newKey();
    const fresh = await rotateKey(user.userId, old.keyId, { overlapMs: 5 * SECOND_MS });
    expect((await balance(`Bearer ${fresh.apiKey}`)).status).toBe(200);
    clock.advance(5 * SECOND_MS - 1);
    expect((await balance(`Bearer ${old.apiKey}`)).status).toBe(200);
    clock.advance(1);
    await expect401("API_KEY_EXPIRED", () => balance(`Bearer ${old.apiKey}`));
    expect((await balance(`Bearer ${fresh.apiKey}`)).status).toBe(200);
  });
});

describe("401 on every guarded operation", () => {
  it("includes all operations except /health and the document", () => {
    expect(LIST.filter((route) => route.access === "open").map((route) => route.path)).toEqual([
      "/health",
      "/v1/openapi.json",
      "/v1/asyncapi.json",
    ]);
  });

  it.each(GUARDED)("$method $path without a key", async (route) => {
    await expect401("MISSING_API_KEY", () => call(route, undefined));
    await expect401("MISSING_API_KEY", () => call(route, ""));
  });

  it.each(GUARDED)("$method $path with a well-formed unknown key", async (route) => {
    const stranger = composeKey("paper", Buffer.alloc(KEY_RANDOM_BYTES, 7));
    await expect401("INVALID_API_KEY", () => call(route, `Bearer ${stranger}`));
  });

  it.each(GUARDED)("$method $path with a revoked key", async (route) => {
    const { apiKey, keyId } = await newKey(SCOPES);
    await revokeKey(user.userId, keyId);
    await expect401("API_KEY_REVOKED", () => call(route, `Bearer ${apiKey}`));
  });

  it.each(GUARDED)("$method $path with a key that lacks only the needed scope", async (route) => {
    if (route.access === "key") return;
    const others = SCOPES.filter((scope) => scope !== route.access);
    const { apiKey, keyId } = await newKey(others);
    await expect401(
      "INSUFFICIENT_SCOPE",
      () => call(route, `Bearer ${apiKey}`),
      `"${String(route.access)}"`,
    );
    await revokeKey(user.userId, keyId);
  });
});

describe("401", () => {
  it.each<[string, (key: string) => string]>([
    ["without the scheme", (key) => key],
    ["with another scheme", (key) => `Basic ${key}`],
    ["with nothing after the scheme", () => "Bearer"],
    ["with a word after it", (key) => `Bearer ${key} x`],
    ["with a comma after it", (key) => `Bearer ${key},`],
    ["in quotes", (key) => `Bearer "${key}"`],
    ["twice, joined by a comma", (key) => `Bearer ${key}, Bearer ${key}`],
    ["twice, joined by a comma without a space", (key) => `Bearer ${key},Bearer ${key}`],
    ["with the first letter in upper case", (key) => `Bearer A${key.slice(1)}`],
    ["one character short", (key) => `Bearer ${key.slice(0, -1)}`],
    ["one character long", (key) => `Bearer ${key}A`],
    ["with a character that keys do not have", (key) => `Bearer ${key.slice(0, -1)}-`],
    ["with its checksum off by one", (key) => `Bearer ${key.slice(0, -1)}${other(key.at(-1))}`],
    ["with its secret off by one", (key) => `Bearer ${swap(key, 30)}`],
    ["with its public id off by one", (key) => `Bearer ${swap(key, 12)}`],
    ["of the other mode", (key) => `Bearer ${key.replace("paper", "live")}`],
    ["of a mode that does not exist", (key) => `Bearer ${key.replace("paper", "fancy")}`],
    ["of 10,000 characters", (key) => `Bearer ${key.repeat(200)}`],
  ])("a key %s is not valid", async (_name, header) => {
    await expect401("INVALID_API_KEY", () => balance(header(user.apiKey)));
  });

  it("two valid Authorization headers are rejected", async () => {
    const headers = new Headers();
    headers.append("authorization", `Bearer ${user.apiKey}`);
    headers.append("authorization", `Bearer ${user.apiKey}`);
    await expect401("INVALID_API_KEY", () => balance(headers.get("authorization") ?? ""));
  });

  it("a known public id with a wrong secret and a valid checksum is rejected as unknown", async () => {
    const id = user.principal.keyId;
    const forged = composeKey("paper", withId(id));
    expect(forged.slice(11, 19)).toBe(id);
    await expect401(
      "INVALID_API_KEY",
      () => balance(`Bearer ${forged}`),
      "The API key doesn't exist.",
    );
  });

  it("an unknown key and a known one with a wrong secret get the same response", async () => {
    const answers = [];
    for (const id of [user.principal.keyId, "00000000"]) {
      answers.push(await balance(`Bearer ${composeKey("paper", withId(id))}`));
    }
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  it("a key in a cookie, query parameter or another header is ignored", async () => {
    const path = `/v1/account/balance?api_key=${user.apiKey}&access_token=${user.apiKey}`;
    const headers = {
      cookie: `next-auth.session-token=${user.apiKey}; authorization=Bearer ${user.apiKey}`,
      "x-api-key": user.apiKey,
      "proxy-authorization": `Bearer ${user.apiKey}`,
    };
    await expect401("MISSING_API_KEY", () => callApi("GET", path, { headers }));
  });

  it("no response repeats a rejected key", async () => {
    const answer = await balance(`Bearer ${user.apiKey.slice(0, -1)}x`);
    expect(answer.text).not.toContain(user.apiKey.slice(11, 40));
  });

  it("a disabled account's keys are rejected, and work again after it is enabled", async () => {
    const db = await getDb();
    const disabled = await makeUser();
    const setStatus = (status: "active" | "disabled") =>
      db.update(users).set({ status }).where(eq(users.id, disabled.userId));
    await setStatus("disabled");
    await expect401("ACCOUNT_DISABLED", () => balance(`Bearer ${disabled.apiKey}`));
    await setStatus("active");
    expect((await balance(`Bearer ${disabled.apiKey}`)).status).toBe(200);
  });

  it("checks revocation, then expiry, then the account, then the scope", async () => {
    const db = await getDb();
    const sinner = await makeUser(undefined, ["cancel"]);
    const { userId } = sinner;
    const { apiKey, keyId } = await createKey(db, {
      userId,
      name: "k",
      mode: "paper",
      scopes: ["cancel"],
      expiresAt: new Date(clock.now() + SECOND_MS),
    });
    await expect401("INSUFFICIENT_SCOPE", () => balance(`Bearer ${apiKey}`));
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, userId));
    await expect401("ACCOUNT_DISABLED", () => balance(`Bearer ${apiKey}`));
    clock.advance(SECOND_MS);
    await expect401("API_KEY_EXPIRED", () => balance(`Bearer ${apiKey}`));
    await revokeKey(userId, keyId);
    await expect401("API_KEY_REVOKED", () => balance(`Bearer ${apiKey}`));
  });

  it("checks the key before the request, so that nothing leaks without one", async () => {
    for (const [method, path, body] of [
      ["POST", "/v1/orders", "{not json"],
      ["GET", "/v1/orders/open?onlyFirstPage=maybe", undefined],
      ["GET", "/v1/orders/ord_01JD0000000000000000000000", undefined],
      ["GET", "/v1/no/such/path", undefined],
      ["PATCH", "/v1/orders", undefined],
    ] as const) {
      await expect401("MISSING_API_KEY", () =>
        callApi(method, path, body === undefined ? {} : { body }),
      );
    }
  });

  it("every handler authenticates on its own, without the gate", async () => {
    const before = await databaseState();
    for (const { path, module } of await loadRouteFiles()) {
      for (const [method, handler] of Object.entries(module)) {
        if (!isApiHandler(handler) || OPERATIONS[handler.operationId].access === "open") continue;
        const request = new Request(`http://127.0.0.1:3000/api${realPath(path)}`, { method });
        const response = await handler(request);
        if (method === "HEAD") {
          expect([path, response.status, await response.text()]).toEqual([path, 401, ""]);
          continue;
        }
        const answer = await toAnswer(response);
        expect({ path, method, status: answer.status, code: answer.body.error?.code }).toEqual({
          path,
          method,
          status: 401,
          code: "MISSING_API_KEY",
        });
      }
    }
    expect(await databaseState()).toEqual(before);
  });
});

describe("a live key while live trading is off", () => {
  let live: string;

  beforeAll(async () => {
    const created = await createKey(await getDb(), {
      userId: user.userId,
      name: "live",
      mode: "live",
      scopes: ["read", "trade", "cancel"],
      expiresAt: null,
    });
    live = created.apiKey;
    expect(live).toMatch(/^ante_live_/);
  });

  it.each(GUARDED.filter((route) => /^(placeOrder|cancelOrder|redeem|preview)/.test(route.id)))(
    "502: $method $path is paused",
    async (route) => {
      await expectUnchanged(async () => {
        expectError(await call(route, `Bearer ${live}`), { code: "TRADING_PAUSED" });
      });
    },
  );

  it.each(GUARDED.filter((route) => route.method === "GET" && route.id !== "getKey"))(
    "$method $path shows nothing of the paper account",
    async (route) => {
      const answer = await call(route, `Bearer ${live}`);
      expect(answer.text).not.toContain(openOrderId);
      expect(answer.text).not.toMatch(/"(balanceUsdc|amountUsdc)":1000\b/);
    },
  );
});
