import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "@/lib/services/keys/create-key";
import { revokeKey } from "@/lib/services/keys/revoke-key";
import { withTransaction } from "@/lib/db/client";
import { listRequests } from "@/lib/services/requests/list-requests";
import { startRequestLog } from "@/lib/services/requests/note-request";
import { callApi } from "@/tests/support/api";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api-exchange";
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

/** What is noted of the calls that `work` makes, oldest first. */
async function notesOf(who: TestUser, work: () => Promise<unknown>) {
  const known = new Set((await listRequests(who.principal, {})).requests.map(({ id }) => id));
  await work();
  await stop();
  stop = startRequestLog();
  const { requests } = await listRequests(who.principal, {});
  return requests.filter(({ id }) => !known.has(id)).toReversed();
}

describe("calls made with a key are noted for its owner", () => {
  it("with the id of the answer, the method, the bare path, the status and the key", async () => {
    let id: string | null = null;
    const [note] = await notesOf(user, async () => {
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

  it("with the code of a refusal, thrown or kept with its order", async () => {
    const notes = await notesOf(user, async () => {
      await callApi("GET", "/v1/orders/ord_nope", { key: user.apiKey });
      const tooLarge = orderFor(markets.free, { shares: 9_000_000 });
      await callApi("POST", "/v1/orders", { key: user.apiKey, body: tooLarge });
    });
    expect(notes.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [404, "ORDER_NOT_FOUND"],
      [400, "INSUFFICIENT_BALANCE"],
    ]);
  });

  it("also when the key may not do it, or no longer works", async () => {
    const key = await withTransaction((tx) =>
      createKey(tx, {
        userId: user.userId,
        name: "reader",
        mode: "paper",
        scopes: ["read"],
        expiresAt: null,
      }),
    );
    const notes = await notesOf(user, async () => {
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

describe("calls that are nobody's are not noted", () => {
  it("without a key, with an unknown one, or to what is open to all", async () => {
    const other = await makeUser();
    const forged = `${other.apiKey.slice(0, -6)}aaaaaa`;
    const notes = await notesOf(other, async () => {
      await callApi("GET", "/v1/orders");
      await callApi("GET", "/v1/orders", { key: forged });
      await callApi("GET", "/health", { key: other.apiKey });
      await callApi("GET", "/v1/openapi.json", { key: other.apiKey });
    });
    expect(notes).toEqual([]);
  });
});
