import { readBearer } from "@/lib/auth/bearer";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { authenticate } from "@/lib/auth/authenticate";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { insertApiRequests } from "@/lib/db/queries/api-requests";
import { apiKeys } from "@/lib/db/schema/accounts";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { issueKey, type KeyRequest } from "@/lib/limits/issue-key";
import {
  findActiveKey,
  findKeyOfForm,
  findRevokeWord,
  listKeys,
  listKeyNames,
} from "@/lib/auth/list-keys";
import { renameKey, revokeKey, rotateKey } from "@/lib/auth/manage-keys";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

const LOCAL = { address: "127.0.0.1" };

useFreshDatabase();

const START = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let now = START;
afterAll(setClock(() => now));
beforeEach(() => {
  now = START;
});

const keyRequest = (change: Partial<KeyRequest> = {}): KeyRequest => ({
  name: "bot",
  scopes: ["read"],
  lifetime: "90",
  limits: {},
  ...change,
});

const readKeys = async (userId: string) =>
  (await getDb()).select().from(apiKeys).where(eq(apiKeys.userId, userId)).orderBy(apiKeys.id);

describe("a key that was created in the dashboard", () => {
  it("works immediately with the chosen scopes and expiry", async () => {
    const { principal } = await makeUser();
    const { apiKey, keyId } = await issueKey(principal, keyRequest({ scopes: ["cancel", "read"] }));
    const request = new Request("http://127.0.0.1/v1/key", {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(await authenticate(readBearer(request.headers), "cancel", LOCAL)).toMatchObject({
      userId: principal.userId,
      keyId,
      scopes: ["read", "cancel"],
    });
    const line = await findActiveKey(principal.userId, keyId);
    expect(line?.expiresAt).toEqual(new Date(START + 90 * DAY_MS));
  });

  it("has its name trimmed, and no expiry if none is chosen", async () => {
    const { principal } = await makeUser();
    const made = await issueKey(principal, keyRequest({ name: "  my \t bot ", lifetime: "never" }));
    expect(made.name).toBe("my bot");
    expect((await findActiveKey(principal.userId, made.keyId))?.expiresAt).toBeNull();
  });

  it.each([
    ["name", { name: "   " }],
    ["name", { name: "x".repeat(65) }],
    ["name", { name: "nul\0" }],
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: ["read", "withdraw"] }],
    ["lifetime", { lifetime: "1" }],
    ["lifetime", { lifetime: "" }],
  ] as const)("is refused for its %s: %j", async (field, change) => {
    const { principal } = await makeUser();
    const before = await readKeys(principal.userId);
    const refusal = await issueKey(principal, keyRequest(change)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", field });
    expect(await readKeys(principal.userId)).toEqual(before);
  });
});

it("a form creates one key, also if it is sent twice at once, and another user's form another", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const request = keyRequest({ formId: "form-1" });
  const before = (await readKeys(user.userId)).length;
  const attempts = await Promise.allSettled([
    issueKey(user.principal, request),
    issueKey(user.principal, request),
  ]);
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(issueKey(user.principal, request)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  expect(await readKeys(user.userId)).toHaveLength(before + 1);
  const made = (await readKeys(user.userId)).find(({ formId }) => formId === "form-1");
  expect(await findKeyOfForm(user.userId, "form-1")).toBe(made?.id);
  const theirs = await issueKey(other.principal, request);
  expect(await findKeyOfForm(other.userId, "form-1")).toBe(theirs.keyId);
});

describe("a key's new name", () => {
  it("is trimmed and shown, and changes nothing else of the key", async () => {
    const { principal } = await makeUser();
    const { apiKey, keyId } = await issueKey(principal, keyRequest({ name: "bot" }));
    const before = await readKeys(principal.userId);
    await renameKey(principal.userId, keyId, { name: "  market \t maker " });
    const renamed = before.map((key) =>
      key.id === keyId ? { ...key, name: "market maker" } : key,
    );
    expect(await readKeys(principal.userId)).toEqual(expect.arrayContaining(renamed));
    const request = new Request("http://127.0.0.1/v1/key", {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(await authenticate(readBearer(request.headers), "read", LOCAL)).toMatchObject({ keyId });
  });

  it.each(["", "   ", "x".repeat(65), "nul\0", "bell\u0007"])(
    "is rejected if it is %j, and the old one stays",
    async (name) => {
      const { principal } = await makeUser();
      const { keyId } = await issueKey(principal, keyRequest());
      const before = await readKeys(principal.userId);
      const refusal = await renameKey(principal.userId, keyId, { name }).catch((error) => error);
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", field: "name" });
      expect(await readKeys(principal.userId)).toEqual(before);
    },
  );

  it("counts characters, not code units", async () => {
    const { principal } = await makeUser();
    const { keyId } = await issueKey(principal, keyRequest());
    await renameKey(principal.userId, keyId, { name: "🙂".repeat(64) });
    expect((await findActiveKey(principal.userId, keyId))?.name).toBe("🙂".repeat(64));
  });

  it("is rejected for another user's key, a revoked key and an unknown key", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const theirs = await issueKey(other.principal, keyRequest());
    const gone = await issueKey(user.principal, keyRequest());
    await revokeKey(user.userId, gone.keyId);
    const before = [await readKeys(user.userId), await readKeys(other.userId)];
    for (const keyId of [theirs.keyId, gone.keyId, "00000000"]) {
      const refusal = await renameKey(user.userId, keyId, { name: "mine" }).catch((error) => error);
      expect(refusal).toMatchObject({ code: "INVALID_API_KEY" });
    }
    expect([await readKeys(user.userId), await readKeys(other.userId)]).toEqual(before);
  });
});

describe("the list of keys", () => {
  it("separates active and ended keys, newest first, without other users' keys", async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const { userId } = user;
    now += 1;
    const short = await issueKey(user.principal, keyRequest({ name: "short", lifetime: "30" }));
    now += 1;
    const gone = await issueKey(user.principal, keyRequest({ name: "gone", lifetime: "never" }));
    await revokeKey(userId, gone.keyId);
    now += 1;
    const old = await issueKey(user.principal, keyRequest({ name: "old", lifetime: "never" }));
    now += 1;
    const fresh = await rotateKey(userId, old.keyId, { overlapMs: 31 * DAY_MS });
    now = START + 30 * DAY_MS + 10;
    const { active, ended } = await listKeys(userId);
    expect(active.map(({ id, state }) => [id, state])).toEqual([
      [fresh.keyId, "active"],
      [old.keyId, "ending"],
      [user.principal.keyId, "active"],
    ]);
    expect(ended.map(({ id, state }) => [id, state])).toEqual([
      [gone.keyId, "revoked"],
      [short.keyId, "expired"],
    ]);
    expect(active.map(({ replacedBy }) => replacedBy)).toEqual([null, fresh.keyId, null]);
    expect(active.slice(0, 2).map(({ label }) => label)).toEqual(["old", "old (old)"]);
    expect((await listKeyNames(userId)).get(old.keyId)).toBe("old (old)");
    expect(await findActiveKey(userId, gone.keyId)).toBeNull();
    expect(await findActiveKey(other.userId, old.keyId)).toBeNull();
    expect((await listKeyNames(userId)).get(gone.keyId)).toBe("gone");
    expect((await listKeyNames(userId, "paper")).has(gone.keyId)).toBe(true);
    expect((await listKeyNames(userId, "live")).size).toBe(0);
    expect((await listKeyNames(other.userId)).has(gone.keyId)).toBe(false);
  });

  it("asks for a word to revoke a key that no other active key has", async () => {
    const { userId, principal } = await makeUser();
    const first = await issueKey(principal, keyRequest({ name: "bot", lifetime: "never" }));
    const fresh = await rotateKey(userId, first.keyId, { overlapMs: DAY_MS });
    expect(await findRevokeWord(userId, first.keyId)).toBe("bot (old)");
    expect(await findRevokeWord(userId, fresh.keyId)).toBe("bot");
    const second = await issueKey(principal, keyRequest({ name: "bot", lifetime: "never" }));
    expect(await findRevokeWord(userId, fresh.keyId)).toBe(`bot ${fresh.keyId}`);
    expect(await findRevokeWord(userId, second.keyId)).toBe(`bot ${second.keyId}`);
    expect(await findRevokeWord((await makeUser()).userId, second.keyId)).toBeNull();
  });

  it("marks a key that was unused for 90 days", async () => {
    const { principal } = await makeUser();
    const readIdle = async () => (await listKeys(principal.userId)).active.map((key) => key.isIdle);
    now = Date.now() + 80 * DAY_MS;
    expect(await readIdle()).toEqual([false]);
    now += 200 * DAY_MS;
    expect(await readIdle()).toEqual([true]);
  });

  it("counts the requests of each key", async () => {
    const { userId, principal } = await makeUser();
    const call = () => ({
      id: newId("req"),
      userId,
      keyId: principal.keyId,
      method: "GET",
      path: "/v1/orders",
      status: 200,
      errorCode: null,
      message: null,
      durationMs: 1,
      orderId: null,
      createdAt: new Date(now),
    });
    await insertApiRequests(await getDb(), [call(), call()]);
    expect((await listKeys(userId)).active.map(({ requests }) => requests)).toEqual([2]);
  });
});
