import { SCOPES } from "@/lib/auth/principal";
import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { findSession, type Session } from "@/lib/auth/session";
import { getDb, selectRows } from "@/lib/db/client";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { issueKey } from "@/lib/limits/issue-key";
import { renameKey, revokeKey, rotateKey } from "@/lib/auth/manage-keys";
import { importLiveWallet, removeLiveWallet } from "@/lib/accounts/change-live-wallet";
import { endChosenSession, endOtherSessions, endSession } from "@/lib/auth/manage-sessions";
import { signIn } from "@/lib/auth/sign-in";
import { changePassword } from "@/lib/accounts/change-password";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner } from "@/tests/support/live/wallets";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();

const PASSWORD = "correct horse battery staple";
const LIMIT = 50;
let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

const browser = () => ({ address: randomBytes(6).toString("hex"), userAgent: "Firefox/132.0" });

async function enter(): Promise<Session> {
  const { cookie } = await signIn({ email: user.email, password: PASSWORD }, browser());
  const session = await findSession(cookie);
  if (!session) throw new Error("the session is over");
  return session;
}

/** Returns the events since the user was created, oldest first. */
async function trail() {
  const { lines } = await listSecurityEvents(user.userId, { limit: LIMIT });
  return lines.toReversed().filter(({ kind }) => kind !== "account_created");
}
const kinds = async () => (await trail()).map(({ kind }) => kind);

describe("the security log", () => {
  it("begins with the creation of the account and its first key", async () => {
    const { lines } = await listSecurityEvents(user.userId, { limit: LIMIT });
    expect(lines.map(({ kind }) => kind)).toEqual(["key_created", "account_created"]);
    expect(lines[0]).toMatchObject({
      keyId: user.principal.keyId,
      detail: { name: "test", mode: "paper", scopes: SCOPES },
    });
  });

  it("records sign-ins, sign-outs and ended sessions, with their addresses", async () => {
    const [first, second, third] = [await enter(), await enter(), await enter()];
    await endChosenSession(first, second.id);
    await endOtherSessions(first);
    await endSession(user.userId, first.id);
    // Ending an ended session is no event.
    await endSession(user.userId, first.id);
    await endChosenSession(first, third.id);
    const events = (await trail()).slice(1);
    expect(events.map(({ kind, sessionId }) => [kind, sessionId])).toEqual([
      ["signed_in", first.id],
      ["signed_in", second.id],
      ["signed_in", third.id],
      ["session_ended", first.id],
      ["other_sessions_ended", first.id],
      ["signed_out", first.id],
    ]);
    expect(events[0]?.detail).toEqual({
      address: expect.any(String),
      browser: "Firefox/132.0",
    });
    expect(events[3]?.detail).toEqual({
      address: expect.any(String),
      browser: "Firefox/132.0",
      endedSession: second.id,
    });
  });

  it("records failed sign-ins without the typed texts", async () => {
    const attempts = [user.email, `${randomBytes(6).toString("hex")}@example.test`];
    for (const email of attempts) {
      const attempt = signIn({ email, password: "not the password at all" }, browser());
      await expect(attempt).rejects.toThrow("Email or password is incorrect.");
    }
    const rows = await selectRows<{ user_id: string | null; detail: { account: string } }>(
      await getDb(),
      sql`select user_id, detail from audit_events where kind = 'sign_in_failed' order by id`,
    );
    expect(rows.map((row) => row.user_id)).toEqual([user.userId, null]);
    const text = JSON.stringify(rows);
    for (const typed of [...attempts, "not the password"]) expect(text).not.toContain(typed);
    expect(rows[0]?.detail.account).toMatch(/^[0-9a-f]{16}$/);
    expect(rows[0]?.detail.account).not.toBe(rows[1]?.detail.account);
    expect((await trail()).at(-1)?.kind).toBe("sign_in_failed");
  });

  it("records changed passwords and wrong ones", async () => {
    const session = await enter();
    const change = { current: "not it, not at all", password: "a sentence nobody guesses" };
    const address = browser().address;
    await expect(changePassword(session, change, address)).rejects.toThrow("incorrect");
    await changePassword(session, { ...change, current: PASSWORD }, address);
    expect((await kinds()).slice(-2)).toEqual(["password_refused", "password_changed"]);
    expect(JSON.stringify(await trail())).not.toMatch(/sentence|not it/);
  });

  it("records created, renamed, rotated and revoked keys without secrets", async () => {
    const request = { name: "bot", scopes: ["read"], lifetime: "30", limits: {} };
    const sessionId = "ses_of_the_owner";
    const { apiKey, keyId } = await issueKey(user.principal, request, sessionId);
    await renameKey(user.userId, keyId, { name: "robot", sessionId });
    const fresh = await rotateKey(user.userId, keyId, { overlapMs: 0, sessionId });
    await revokeKey(user.userId, fresh.keyId, sessionId);
    const events = (await trail()).slice(1);
    expect(new Set(events.map((event) => event.sessionId))).toEqual(new Set([sessionId]));
    expect(events).toMatchObject([
      { kind: "key_created", keyId, detail: { name: "bot", scopes: ["read"], mode: "paper" } },
      { kind: "key_renamed", keyId, detail: { name: "robot", formerName: "bot" } },
      { kind: "key_created", keyId: fresh.keyId, detail: { name: "robot" } },
      { kind: "key_rotated", keyId, detail: { replacedBy: fresh.keyId } },
      { kind: "key_revoked", keyId: fresh.keyId, detail: { name: "robot" } },
    ]);
    for (const secret of [apiKey, fresh.apiKey]) {
      expect(JSON.stringify(events)).not.toContain(secret.slice(19));
    }
  });

  it("records an imported and removed live wallet by its public address only", async () => {
    const { privateKey, address, funders } = createOwner();
    const wallet = { privateKey, funder: funders[3], signatureType: "3" };
    await importLiveWallet(user.userId, wallet, "ses_of_the_owner");
    await removeLiveWallet(user.userId, "ses_of_the_owner");
    const events = (await trail()).slice(-2);
    expect(events.map(({ kind, sessionId, detail }) => [kind, sessionId, detail.wallet])).toEqual([
      ["wallet_imported", "ses_of_the_owner", address],
      ["wallet_removed", "ses_of_the_owner", address],
    ]);
    expect(JSON.stringify(events)).not.toContain(privateKey.slice(2));
  });

  it("records nothing for rejected actions", async () => {
    const before = await trail();
    const stranger = await makeUser();
    await expect(revokeKey(stranger.userId, user.principal.keyId)).rejects.toThrow("doesn't exist");
    await expect(renameKey(user.userId, user.principal.keyId, { name: "" })).rejects.toThrow();
    await expect(removeLiveWallet(user.userId)).rejects.toThrow("no live wallet");
    expect(await trail()).toEqual(before);
  });

  it("lists one user's events page by page", async () => {
    for (let index = 0; index < 5; index += 1) await enter();
    const first = await listSecurityEvents(user.userId, { limit: 4 });
    const second = await listSecurityEvents(user.userId, { before: first.older, limit: 4 });
    expect([...first.lines, ...second.lines].map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 5 }, () => "signed_in"),
      "key_created",
      "account_created",
    ]);
    expect(second.older).toBeNull();
    const stranger = await makeUser();
    const theirs = await listSecurityEvents(stranger.userId, { before: first.older, limit: LIMIT });
    expect(JSON.stringify(theirs)).not.toContain(user.userId);
  });

  it.each([
    "update audit_events set kind = 'x'",
    "delete from audit_events",
    "truncate audit_events",
  ])("is append-only: %s is rejected", async (statement) => {
    const change = (await getDb()).execute(sql.raw(statement));
    await expect(change).rejects.toThrow("audit_events is append-only");
  });
});
