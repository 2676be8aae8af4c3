import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { composeKey, KEY_RANDOM_BYTES } from "@/lib/auth/api-key";
import { type Scope, SCOPES } from "@/lib/auth/principal";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { getDb } from "@/lib/db/client";
import { users } from "@/lib/db/schema/accounts";
import { env } from "@/lib/env";
import type { ErrorCode } from "@/lib/errors";
import type { Operation } from "@/lib/api/operations/operation";
import { type OperationId, OPERATIONS } from "@/lib/api/operations";
import { createKey } from "@/lib/auth/create-key";
import { revokeKey } from "@/lib/auth/manage-keys";
import { startSession } from "@/lib/auth/start-session";
import { type ApiAnswer, callApi, type ApiRequest } from "@/tests/support/api/call-api";
import { place, readOrder } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { isApiHandler, loadRouteFiles, sendRaw, toAnswer } from "@/tests/support/api/routes";
import { expectError, expectUnchanged } from "@/tests/support/api/state";
import { HEADER_TRICKS } from "@/tests/support/authorization/header-tricks";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

const GUARDED = Object.entries<Operation>(OPERATIONS)
  .map(([id, spec]) => ({ id: id as OperationId, ...spec }))
  .filter(({ access }) => access !== "open");

let user: TestUser;
let stranger: TestUser;
let markets: TestMarkets;
let orderId = "";
let cookie = "";

beforeAll(async () => {
  [user, stranger] = [await makeUser(), await makeUser()];
  markets = await loadMarkets(user.apiKey);
  ({ orderId } = await place(user.apiKey, orderFor(markets.free)));
  const browser = { address: "127.0.0.1", userAgent: "test" };
  ({ cookie } = await startSession(user.userId, browser));
});

const newKey = async (
  scopes: readonly Scope[],
  { mode = "paper", expiresAt = null }: { mode?: "paper" | "live"; expiresAt?: Date | null } = {},
) => createKey(await getDb(), { userId: user.userId, name: "k", mode, scopes, expiresAt });

function fillPath({ path }: Operation): string {
  return path
    .replace("{orderId}", orderId)
    .replace("{marketId}", markets.free.id)
    .replace("{positionId}", markets.free.outcomes[0].tokenId);
}

/** Builds a request that would succeed with a key that has the scope. */
function ask(route: Operation, request: ApiRequest, path = fillPath(route)): Promise<ApiAnswer> {
  const bodies = { PATCH: { limits: { perDay: "1000" } }, POST: orderFor(markets.free) };
  const body =
    route.body !== null && route.method in bodies
      ? { body: bodies[route.method as keyof typeof bodies] }
      : {};
  return callApi(route.method, path, { ...body, ...request });
}

const bearer = (value: string): ApiRequest => ({ headers: { authorization: value } });

describe("an operation of the API", () => {
  const ATTEMPTS: [string, ErrorCode, () => ApiRequest][] = [
    ["without credentials", "MISSING_API_KEY", () => ({})],
    ["with an empty header", "MISSING_API_KEY", () => bearer("  ")],
    ["with garbage", "INVALID_API_KEY", () => bearer("Bearer \u00ff\u00fe{}'--")],
    ["with the scheme alone", "INVALID_API_KEY", () => bearer("Bearer")],
    ["with another scheme", "INVALID_API_KEY", () => bearer(`Basic ${btoa(user.apiKey)}`)],
    [
      "with an unknown key",
      "INVALID_API_KEY",
      () => bearer(`Bearer ${composeKey("paper", Buffer.alloc(KEY_RANDOM_BYTES, 9))}`),
    ],
    [
      "with the key's mode changed",
      "INVALID_API_KEY",
      () => bearer(`Bearer ${user.apiKey.replace("paper", "live")}`),
    ],
    [
      "with two keys",
      "INVALID_API_KEY",
      () => bearer(`Bearer ${stranger.apiKey}, Bearer ${user.apiKey}`),
    ],
    [
      "with the session cookie",
      "MISSING_API_KEY",
      () => ({ headers: { cookie: `${sessionCookieName()}=${cookie}` } }),
    ],
    ["with the session for a key", "INVALID_API_KEY", () => bearer(`Bearer ${cookie}`)],
    ["with the operator's secret", "INVALID_API_KEY", () => bearer(`Bearer ${env().CRON_SECRET}`)],
    [
      "with the key as a cookie and in other headers",
      "MISSING_API_KEY",
      () => ({
        headers: {
          cookie: `authorization=Bearer ${user.apiKey}; ${sessionCookieName()}=${user.apiKey}`,
          "x-api-key": user.apiKey,
          "proxy-authorization": `Bearer ${user.apiKey}`,
          "x-forwarded-authorization": `Bearer ${user.apiKey}`,
        },
      }),
    ],
    ...HEADER_TRICKS.map(([name, headers]): [string, ErrorCode, () => ApiRequest] => [
      `with ${name}`,
      "MISSING_API_KEY",
      () => ({ headers }),
    ]),
  ];

  it.each(GUARDED)("$method $path rejects every wrong credential", async (route) => {
    await expectUnchanged(async () => {
      for (const [name, code, request] of ATTEMPTS) {
        const answer = await ask(route, request());
        expect(`${name}: ${answer.body.error?.code}`).toBe(`${name}: ${code}`);
        expectError(answer, { code });
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        expect(answer.text).not.toContain(orderId);
      }
      const inQuery = `${fillPath(route)}?api_key=${user.apiKey}&authorization=${user.apiKey}`;
      expectError(await ask(route, {}, inQuery), { code: "MISSING_API_KEY" });
    });
  });

  it.each(GUARDED)(
    "$method $path rejects revoked and expired keys and missing scopes",
    async (route) => {
      const others = SCOPES.filter((scope) => scope !== route.access);
      const [revoked, expired, small] = [
        await newKey(SCOPES),
        await newKey(SCOPES, { expiresAt: new Date(clock.now()) }),
        await newKey(others),
      ];
      await revokeKey(user.userId, revoked.keyId);
      const refuse = (apiKey: string, code: ErrorCode) =>
        expectUnchanged(async () => expectError(await ask(route, { key: apiKey }), { code }));
      await refuse(revoked.apiKey, "API_KEY_REVOKED");
      await refuse(expired.apiKey, "API_KEY_EXPIRED");
      if (route.access === "key") {
        expect((await ask(route, { key: small.apiKey })).status).toBe(200);
      } else await refuse(small.apiKey, "INSUFFICIENT_SCOPE");
      // A method in a header is ignored.
      const headers = { "x-http-method-override": "GET", "x-http-method": "GET" };
      // A key with any scope can limit and freeze itself.
      if (route.method !== "GET" && route.access !== "read" && route.access !== "key") {
        const readOnly = await newKey(["read"]);
        await expectUnchanged(async () =>
          expectError(await ask(route, { key: readOnly.apiKey, headers }), {
            code: "INSUFFICIENT_SCOPE",
          }),
        );
        await revokeKey(user.userId, readOnly.keyId);
      }
      await revokeKey(user.userId, small.keyId);
    },
  );

  it.each(GUARDED)("$method $path rejects a disabled account", async (route) => {
    const setStatus = async (status: "active" | "disabled") =>
      (await getDb()).update(users).set({ status }).where(eq(users.id, user.userId));
    await setStatus("disabled");
    try {
      await expectUnchanged(async () =>
        expectError(await ask(route, { key: user.apiKey }), { code: "ACCOUNT_DISABLED" }),
      );
    } finally {
      await setStatus("active");
    }
  });

  it.each(GUARDED)(
    "$method $path is paused for a live key while live trading is off",
    async (route) => {
      const live = await newKey(SCOPES, { mode: "live" });
      // A key is described, limited and frozen all the same.
      if (route.access === "key") {
        expect((await ask(route, { key: live.apiKey })).status).toBe(200);
      } else {
        await expectUnchanged(async () => {
          const answer = await ask(route, { key: live.apiKey });
          expectError(answer, { code: "TRADING_PAUSED" });
          expect(answer.text).not.toContain(orderId);
        });
      }
      await revokeKey(user.userId, live.keyId);
    },
  );

  it.each(GUARDED)("$method $path of another user doesn't affect this user", async (route) => {
    const before = (await readOrder(user.apiKey, orderId)).status;
    // A frozen key could do nothing in the other cases.
    const other = route.id === "freezeKey" ? await makeUser() : stranger;
    const answer = await ask(route, { key: other.apiKey });
    // The other user trades only their own money.
    if (route.id === "placeOrder") expect(answer.status).toBe(200);
    if (route.path.includes("{orderId}")) {
      const missing = fillPath(route).replace(orderId, "ord_00000000000000000000000000");
      const unknown = await ask(route, { key: stranger.apiKey }, missing);
      expect(answer.text).toBe(unknown.text);
      expectError(answer, { code: "ORDER_NOT_FOUND" });
    }
    expect(answer.text).not.toContain(orderId);
    expect(answer.text).not.toContain(user.userId);
    expect((await readOrder(user.apiKey, orderId)).status).toBe(before);
  });
});

describe("another spelling of a path", () => {
  const SPELLINGS: [string, (path: string) => string][] = [
    ["upper case", (path) => path.toUpperCase()],
    ["an upper-case version", (path) => path.replace("/v1", "/V1")],
    ["/API", (path) => `/API${path}`],
    ["/Api and /V1", (path) => `/Api${path.replace("/v1", "/V1")}`],
    ["/api twice", (path) => `/api/api${path}`],
    ["a doubled slash", (path) => path.replace("/v1/", "/v1//")],
    ["a slash in front", (path) => `/.//${path}`],
    ["a slash behind", (path) => `${path}/`],
    ["an encoded letter", (path) => path.replace("/v1", "/%761")],
    ["an encoded slash", (path) => path.replace("/v1/", "/v1%2f")],
    ["an encoded dot segment", (path) => path.replace("/v1/", "/v1/x%2f..%2f")],
    ["a path parameter", (path) => path.replace("/v1/", "/v1;x=1/")],
    ["a suffix", (path) => `${path}.json`],
    ["a page's data", (path) => `${path}.rsc`],
    ["a session's door", (path) => `/api/ui/..%2f${path.slice(1)}`],
    ["a backslash", (path) => path.replace("/v1/", "/v1%5c")],
  ];

  it.each(SPELLINGS)("with %s gives no access, with or without the key", async (_name, spell) => {
    await expectUnchanged(async () => {
      for (const route of GUARDED) {
        const path = spell(fillPath(route));
        const without = await readStatus(path, route.method);
        expect([401, 404, 400, null], path).toContain(without);
        const withKey = await readStatus(path, route.method, {
          authorization: `Bearer ${user.apiKey}`,
        });
        expect([404, 405, 400, null], path).toContain(withKey);
      }
    });
  });

  /** Null if the path is outside the API and no page has it. */
  async function readStatus(path: string, method: string, headers: Record<string, string> = {}) {
    try {
      return (await sendRaw(path, { method, headers })).status;
    } catch (error) {
      if (error instanceof Error && /is not for the interface/.test(error.message)) return null;
      throw error;
    }
  }
});

describe("a handler without the gate", () => {
  it("decides like behind the gate, and session endpoints reject API keys", async () => {
    await expectUnchanged(async () => {
      for (const { path, module } of await loadRouteFiles()) {
        for (const [method, handler] of Object.entries(module)) {
          if (!isApiHandler(handler) || OPERATIONS[handler.operationId].access === "open") continue;
          // HEAD uses the handler of GET and has no body.
          if (method === "HEAD") continue;
          const url = `http://127.0.0.1:3000/api${fillPath({ ...OPERATIONS[handler.operationId], path })}`;
          for (const [, headers] of [["", {}], ...HEADER_TRICKS] as const) {
            const plain = await toAnswer(await handler(new Request(url, { method, headers })));
            expectError(plain, { code: "MISSING_API_KEY" });
          }
          const headers = { authorization: `Bearer ${user.apiKey}` };
          const asSession = await handler.forSession(new Request(url, { method, headers }));
          expectError(await toAnswer(asSession), { code: "SESSION_ENDED" });
        }
      }
    });
  });
});
