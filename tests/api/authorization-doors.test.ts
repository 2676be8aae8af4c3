import { eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "@/lib/auth/principal";
import { sealSession, SESSION_IDLE_MS, SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { getDb } from "@/lib/db/client";
import { users } from "@/lib/db/schema/accounts";
import { sessions } from "@/lib/db/schema/dashboard";
import { env } from "@/lib/env";
import { createKey } from "@/lib/auth/create-key";
import { endSession } from "@/lib/auth/manage-sessions";
import { startSession, type StartedSession } from "@/lib/auth/start-session";
import { place } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { expectUnchanged } from "@/tests/support/api/state";
import {
  callDoor,
  type Endpoint,
  listEndpoints,
} from "@/tests/support/authorization/call-endpoint";
import { HEADER_TRICKS } from "@/tests/support/authorization/header-tricks";
import { makeUser, type TestUser } from "@/tests/support/users";

const clock = useExchange();

const BROWSER = { address: "127.0.0.1", userAgent: "test" };
const SENT_KEY = "a-key-of-the-owner";

let user: TestUser;
let stranger: TestUser;
let markets: TestMarkets;
let orderId = "";
let session: StartedSession;

beforeAll(async () => {
  [user, stranger] = [await makeUser(), await makeUser()];
  markets = await loadMarkets(user.apiKey);
  const body = { ...orderFor(markets.free), idempotencyKey: SENT_KEY };
  ({ orderId } = await place(user.apiKey, body));
  session = await startSession(user.userId, BROWSER);
});

const withCookie = (value: string): RequestInit => ({
  headers: { cookie: `${sessionCookieName()}=${value}` },
});
const withBearer = (value: string): RequestInit => ({
  headers: { authorization: `Bearer ${value}` },
});

/** Builds a request that would succeed with a valid credential. */
function ask(endpoint: Endpoint, init: RequestInit = {}): Promise<Response> {
  const marketId = markets.free.id;
  return callDoor(endpoint, { ...init, query: writeQuery(endpoint.path) }, { orderId, marketId });
}

/** Writes the parameters that an endpoint of the dashboard needs. */
function writeQuery(path: string): string {
  const [{ tokenId }] = markets.free.outcomes;
  if (/\/ui\/(book|stream|ticket|own-market)$/.test(path)) {
    return `?market=${markets.free.id}&token=${tokenId}`;
  }
  if (path.endsWith("/placement")) return `?key=${SENT_KEY}`;
  return /\/ui\/(order|edit)$/.test(path) ? `?id=${orderId}` : "";
}

async function setStatus(status: "active" | "disabled"): Promise<void> {
  const db = await getDb();
  await db.update(users).set({ status }).where(eq(users.id, user.userId));
}

describe("endpoints with a session", () => {
  /** The cookies of the user's invalid sessions. */
  const wrong: Record<string, string> = {};

  beforeAll(async () => {
    const ended = await startSession(user.userId, BROWSER);
    await endSession(user.userId, ended.sessionId);
    const db = await getDb();
    const aged = async (change: { lastSeenAt?: Date; createdAt?: Date }) => {
      const { sessionId, cookie } = await startSession(user.userId, BROWSER);
      await db.update(sessions).set(change).where(eq(sessions.id, sessionId));
      return cookie;
    };
    const { cookie, sessionId } = session;
    Object.assign(wrong, {
      "a session that was ended": ended.cookie,
      "a session that lay idle": await aged({
        lastSeenAt: new Date(clock.now() - SESSION_IDLE_MS - 1),
      }),
      "a session that is too old": await aged({
        createdAt: new Date(clock.now() - SESSION_MAX_AGE_S * 1000 - 1),
      }),
      "a session that never was": await sealSession("ses_none", user.userId),
      "the session under another secret": await encode({
        token: { sub: user.userId, sid: sessionId },
        secret: "another-secret-with-as-many-characters",
      }),
      "a token without a session": await encode({
        token: { sub: user.userId },
        secret: env().NEXTAUTH_SECRET,
      }),
      "the session's id": sessionId,
      "the cookie, cut": cookie.slice(0, -2),
      "the user's id": user.userId,
      "an API key": user.apiKey,
      "the operator's secret": env().CRON_SECRET,
      garbage: "\u00e9{}';--",
      nothing: "",
    });
  });

  it.each(listEndpoints("session"))(
    "$name rejects requests without a valid session",
    async (endpoint) => {
      const attempts: [string, RequestInit][] = [
        ["no credentials", {}],
        ["an API key", withBearer(user.apiKey)],
        ["the session for a key", withBearer(session.cookie)],
        ["the operator's secret", withBearer(env().CRON_SECRET)],
        [
          "another cookie's name",
          { headers: { cookie: `x${sessionCookieName()}=${session.cookie}` } },
        ],
        ...Object.entries(wrong).map(([name, value]): [string, RequestInit] => [
          name,
          withCookie(value),
        ]),
        ...HEADER_TRICKS.map(([name, headers]): [string, RequestInit] => [name, { headers }]),
      ];
      await expectUnchanged(async () => {
        for (const [name, init] of attempts) {
          const answer = await ask(endpoint, init);
          const { error } = (await answer.json()) as { error: { code: string } };
          expect({ name, status: answer.status, code: error.code }).toEqual({
            name,
            status: 401,
            code: "SESSION_ENDED",
          });
        }
      });
    },
  );

  it.each(listEndpoints("session"))("$name rejects a disabled account", async (endpoint) => {
    await setStatus("disabled");
    try {
      const answer = await ask(endpoint, withCookie(session.cookie));
      expect(answer.status).toBe(401);
    } finally {
      await setStatus("active");
    }
  });

  it.each(listEndpoints("session"))("$name accepts only its own session", async (endpoint) => {
    const own = await ask(endpoint, withCookie(session.cookie));
    expect(own.status).toBe(200);
    if (/\/(stream|events)$/.test(endpoint.path)) return void (await own.body?.cancel());
    const ownText = await own.text();
    const other = await startSession(stranger.userId, BROWSER);
    const theirs = await ask(endpoint, withCookie(other.cookie));
    const theirText = await theirs.text();
    for (const mine of [orderId, user.userId, user.address]) {
      expect(theirText).not.toContain(mine);
    }
    const isOwnRecord = /\[orderId\]|\/ui\/order$/.test(endpoint.path);
    // The effect of an edit is of the user's own order, which it doesn't repeat.
    const isOfOrder = isOwnRecord || endpoint.path.endsWith("/ui/edit");
    expect(theirs.status).toBe(isOfOrder ? 404 : 200);
    if (isOwnRecord) expect(ownText).toContain(orderId);
  });
});

describe("endpoints for the operator", () => {
  it.each(listEndpoints("operator"))(
    "$name rejects requests without CRON_SECRET",
    async (endpoint) => {
      const secret = env().CRON_SECRET;
      const key = await createKey(await getDb(), {
        userId: user.userId,
        name: "k",
        mode: "paper",
        scopes: SCOPES,
        expiresAt: null,
      });
      const attempts: RequestInit[] = [
        {},
        withBearer(""),
        withBearer(key.apiKey),
        withBearer(session.cookie),
        withBearer(secret.slice(0, -1)),
        withBearer(`${secret}x`),
        withBearer(secret.toUpperCase()),
        withCookie(session.cookie),
        withCookie(secret),
        { headers: { authorization: secret } },
        { headers: { "x-cron-secret": secret } },
        ...HEADER_TRICKS.map(([, headers]) => ({ headers })),
      ];
      await expectUnchanged(async () => {
        for (const init of attempts) {
          const answer = await callDoor(endpoint, init);
          expect(answer.status).toBe(401);
          expect(await answer.text()).toMatch(/^\{"ok":false,"error":\{"code":"INVALID_API_KEY"/);
        }
        const inQuery = await callDoor(endpoint, { query: `?secret=${secret}&token=${secret}` });
        expect(inQuery.status).toBe(401);
      });
      expect((await callDoor(endpoint, withBearer(secret))).status).not.toBe(401);
    },
  );
});

describe("endpoints for a sandbox wallet", () => {
  it.each(listEndpoints("wallet"))("$name rejects all other credentials", async (endpoint) => {
    const poly = {
      poly_address: user.address,
      poly_timestamp: String(Math.floor(clock.now() / 1000)),
      poly_nonce: "0",
      poly_signature: `0x${"00".repeat(65)}`,
      poly_api_key: "00000000-0000-0000-0000-000000000000",
      poly_passphrase: "x",
    };
    const attempts: RequestInit[] = [
      {},
      withBearer(user.apiKey),
      withBearer(env().CRON_SECRET),
      withCookie(session.cookie),
      { headers: poly },
      { headers: { ...poly, poly_api_key: user.principal.keyId } },
      ...HEADER_TRICKS.map(([, headers]) => ({ headers })),
    ];
    await expectUnchanged(async () => {
      for (const init of attempts) {
        const answer = await callDoor(endpoint, init, { orderId });
        expect(answer.status).toBe(401);
        expect(await answer.text()).not.toContain(orderId);
      }
    });
  });
});

describe("public endpoints", () => {
  const testable = listEndpoints("everybody").filter(({ path }) => !path.includes("nextauth"));

  it.each(testable)("$name needs no credentials and returns no user data", async (endpoint) => {
    const plain = await callDoor(endpoint, {}, { marketId: markets.free.id });
    expect(plain.status).not.toBe(401);
    const text = await plain.text();
    for (const mine of [orderId, user.userId, user.email]) expect(text).not.toContain(mine);
    const changed = await callDoor(endpoint, withBearer(user.apiKey));
    expect(changed.status).not.toBe(401);
  });
});

describe("closed endpoints", () => {
  it.each(listEndpoints("nobody"))("$name refuses every credential", async (endpoint) => {
    for (const init of [{}, withBearer(user.apiKey), withCookie(session.cookie)]) {
      expect([401, 404, 405]).toContain((await callDoor(endpoint, init)).status);
    }
  });
});
