import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "@/lib/auth/create-key";
import { revokeKey } from "@/lib/auth/manage-keys";
import { withTransaction } from "@/lib/db/client";
import { findRequest, listRequests } from "@/lib/api/middleware/request-log";
import { startRequestLog } from "@/lib/api/middleware/request-log";
import { callApi } from "@/tests/support/api/call-api";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { makeUser, type TestUser } from "@/tests/support/users";

useExchange();

let user: TestUser;
let markets: TestMarkets;
let stop: () => Promise<void>;

beforeAll(async () => {
  user = await makeUser();
  markets = await loadMarkets(user.apiKey);
  stop = startRequestLog();
});
afterAll(() => stop());

/** Returns the log entries of the requests that `work` makes, oldest first. */
async function collectNotes(who: TestUser, work: () => Promise<unknown>) {
  const known = new Set((await listRequests(who.principal, {})).requests.map(({ id }) => id));
  await work();
  await stop();
  stop = startRequestLog();
  const { requests } = await listRequests(who.principal, {});
  return requests.filter(({ id }) => !known.has(id)).toReversed();
}

describe("requests with a key are logged for its owner", () => {
  it("with request id, method, path without query, status and key", async () => {
    let id: string | null = null;
    const [note] = await collectNotes(user, async () => {
      const answer = await callApi("GET", "/v1/orders?limit=3&status=open", { key: user.apiKey });
      id = answer.headers.get("x-request-id");
    });
    expect(note).toMatchObject({
      id,
      keyId: user.principal.keyId,
      method: "GET",
      path: "/v1/orders",
      status: 200,
      errorCode: null,
    });
    expect(note?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it("with the error code, thrown or replayed", async () => {
    const notes = await collectNotes(user, async () => {
      await callApi("GET", "/v1/orders/ord_nope", { key: user.apiKey });
      const tooLarge = orderFor(markets.free, { shares: 9_000_000 });
      await callApi("POST", "/v1/orders", { key: user.apiKey, body: tooLarge });
    });
    expect(notes.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [404, "ORDER_NOT_FOUND"],
      [400, "INSUFFICIENT_BALANCE"],
    ]);
  });

  it("with the message of a refusal, cut and without a key that it quotes", async () => {
    const notes = await collectNotes(user, async () => {
      await callApi("GET", "/v1/orders/ord_nope", { key: user.apiKey });
      await callApi("GET", `/v1/events?types=nope${"x".repeat(900)}`, { key: user.apiKey });
      const body = { ...orderFor(markets.free, { shares: 5 }), tokenId: user.apiKey };
      await callApi("POST", "/v1/orders", { key: user.apiKey, body });
      await callApi("GET", "/v1/markets", { key: user.apiKey });
    });
    const [unknown, types, quoted, found] = notes.map(({ message }) => message);
    expect(unknown).toMatch(/order/i);
    expect(types).toContain('"nopexxx');
    expect(types?.length).toBeLessThanOrEqual(500);
    expect(quoted).not.toBe(null);
    expect(JSON.stringify(notes)).not.toContain(user.apiKey);
    expect(found).toBe(null);
  });

  it("also if the key lacks the scope or no longer works", async () => {
    const key = await withTransaction((tx) =>
      createKey(tx, {
        userId: user.userId,
        name: "reader",
        mode: "paper",
        scopes: ["read"],
        expiresAt: null,
      }),
    );
    const notes = await collectNotes(user, async () => {
      await callApi("DELETE", "/v1/orders", { key: key.apiKey });
      await revokeKey(user.userId, key.keyId);
      await callApi("GET", "/v1/key", { key: key.apiKey });
    });
    expect(notes.map(({ keyId, errorCode }) => [keyId, errorCode])).toEqual([
      [key.keyId, "INSUFFICIENT_SCOPE"],
      [key.keyId, "API_KEY_REVOKED"],
    ]);
  });
});

describe("a request in the log", () => {
  it("has the body and the stored response of the order that it placed, also when it is repeated", async () => {
    const body = { ...orderFor(markets.free, { shares: 5 }), idempotencyKey: "shown-on-its-page" };
    const answers: string[] = [];
    const notes = await collectNotes(user, async () => {
      for (let call = 0; call < 2; call += 1) {
        const answer = await callApi("POST", "/v1/orders", { key: user.apiKey, body });
        answers.push(answer.text);
      }
    });
    expect(notes).toHaveLength(2);
    for (const [at, { id }] of notes.entries()) {
      const found = await findRequest(user.principal, id);
      expect(found?.request).toEqual(notes[at]);
      expect(found?.placement?.idempotencyKey).toBe("shown-on-its-page");
      expect(JSON.parse(found?.placement?.body ?? "")).toMatchObject(body);
      expect(found?.placement?.answer).toEqual({ status: 200, body: answers[at] });
    }
  });

  it("has neither of a read, and is unknown to another user", async () => {
    const other = await makeUser();
    const [note] = await collectNotes(user, () =>
      callApi("GET", "/v1/positions", { key: user.apiKey }),
    );
    const found = await findRequest(user.principal, note?.id ?? "");
    expect(found).toEqual({ request: note, placement: null });
    expect(await findRequest(other.principal, note?.id ?? "")).toBeNull();
    expect(await findRequest(user.principal, "a\0b")).toBeNull();
  });
});

describe("requests without an owner are not logged", () => {
  it("without a key, with an unknown one, or to public paths", async () => {
    const other = await makeUser();
    const forged = `${other.apiKey.slice(0, -6)}aaaaaa`;
    const notes = await collectNotes(other, async () => {
      await callApi("GET", "/v1/orders");
      await callApi("GET", "/v1/orders", { key: forged });
      await callApi("GET", "/health", { key: other.apiKey });
      await callApi("GET", "/v1/openapi.json", { key: other.apiKey });
    });
    expect(notes).toEqual([]);
  });
});
