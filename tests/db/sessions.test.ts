import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findSession, type Session, SESSION_IDLE_MS, SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { users } from "@/lib/db/schema/accounts";
import { sessions } from "@/lib/db/schema/dashboard";
import { endOtherSessions, endSession, listSessions } from "@/lib/auth/manage-sessions";
import { startSession } from "@/lib/auth/start-session";
import { signIn } from "@/lib/auth/sign-in";
import { changePassword } from "@/lib/accounts/change-password";
import { signUp } from "@/lib/accounts/sign-up";
import { streamSessionEvents } from "@/lib/events/stream-session-events";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();

const PASSWORD = "correct horse battery staple";
const NEXT_PASSWORD = "a sentence that nobody guesses";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 12);
let now = START;
const restore = setClock(() => now);
let user: TestUser;
beforeEach(async () => {
  now = START;
  user = await makeUser();
});
afterAll(restore);

/** Signs in from a new address each time, so that only the account's limit counts. */
const browser = () => ({
  address: randomBytes(6).toString("hex"),
  userAgent: "Firefox/132.0",
});
const enter = (password = PASSWORD, email = user.email) => signIn({ email, password }, browser());

async function findProblem(attempt: Promise<unknown>) {
  const end = await attempt.then(
    () => null,
    (error: unknown) => error as { code?: string; message: string; field?: string | null },
  );
  return end && { code: end.code, message: end.message, field: end.field ?? null };
}

const listSessionsFor = async (userId: string) =>
  (await getDb()).select().from(sessions).where(eq(sessions.userId, userId)).orderBy(sessions.id);

async function open(cookie: string): Promise<Session> {
  const session = await findSession(cookie);
  if (!session) throw new Error("the session is over");
  return session;
}

const WRONG = {
  code: "VALIDATION_ERROR",
  message: "Email or password is incorrect.",
  field: "password",
};

describe("signing in", () => {
  it("starts a new session each time, ignoring the case of the email", async () => {
    const first = await enter();
    const second = await enter(PASSWORD, ` ${user.email.toUpperCase()} `);
    expect(second.sessionId).not.toBe(first.sessionId);
    expect((await open(first.cookie)).principal).toMatchObject({
      userId: user.userId,
      mode: "paper",
      keyId: null,
    });
    expect((await open(second.cookie)).email).toBe(user.email);
  });

  it("fails with the same message for a wrong password, an unknown account and a disabled one", async () => {
    expect(await findProblem(enter("not the password at all"))).toEqual(WRONG);
    expect(await findProblem(enter(PASSWORD, "nobody@example.test"))).toEqual(WRONG);
    await disable();
    expect(await findProblem(enter())).toEqual(WRONG);
    expect(await listSessionsFor(user.userId)).toEqual([]);
  });

  it("rejects every password from an address after ten wrong ones in five minutes", async () => {
    const here = browser();
    const from = (password: string) => signIn({ email: user.email, password }, here);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await findProblem(from("not the password at all"))).toEqual(WRONG);
    }
    expect(await findProblem(from(PASSWORD))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await listSessionsFor(user.userId)).toEqual([]);
    // The limit of one address doesn't affect another.
    expect(await findProblem(enter())).toBeNull();
  });

  it("checks at most twenty wrong passwords of an account in ten minutes from all addresses", async () => {
    await spendGuesses(12);
    now += 9 * MINUTE;
    await spendGuesses(8);
    expect(await findProblem(enter())).toMatchObject({ code: "RATE_LIMITED" });
    now += 2 * MINUTE;
    // Guesses of two minutes ago still count: twelve more, not twenty.
    await spendGuesses(12);
    expect(await findProblem(enter())).toMatchObject({ code: "RATE_LIMITED" });
    expect(await listSessionsFor(user.userId)).toEqual([]);
    now += 11 * MINUTE;
    expect(await findProblem(enter())).toBeNull();
  });

  it("checks at most a hundred wrong passwords of an account in an hour", async () => {
    for (let round = 0; round < 5; round += 1) {
      await spendGuesses(20);
      now += 10 * MINUTE + 1;
    }
    expect(await findProblem(enter())).toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringMatching(/Try again in (9|10) minutes/),
    });
    now += 10 * MINUTE;
    expect(await findProblem(enter())).toBeNull();
  });

  it("responds to an unknown account like to an existing one, including limits", async () => {
    const unknown = "nobody-at-all@example.test";
    const guess = (email: string) => findProblem(enter("not the password at all", email));
    for (let attempt = 0; attempt < 22; attempt += 1) {
      expect(await guess(unknown)).toEqual(await guess(user.email));
    }
    expect(await guess(unknown)).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("never locks out the owner at an address that signed in before", async () => {
    const home = browser();
    const first = await signIn({ email: user.email, password: PASSWORD }, home);
    await endSession(user.userId, first.sessionId);
    await spendGuesses(20);
    for (let more = 0; more < 40; more += 1) await findProblem(enter("not the password at all"));
    expect(await findProblem(signIn({ email: user.email, password: PASSWORD }, home))).toBeNull();
    // An address known to one account is not known to another.
    const other = await makeUser();
    await spendGuesses(20, other.email);
    expect(
      await findProblem(signIn({ email: other.email, password: PASSWORD }, home)),
    ).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("limits known addresses to ten guesses too", async () => {
    const home = browser();
    await signIn({ email: user.email, password: PASSWORD }, home);
    const guess = () => signIn({ email: user.email, password: "wrong every time" }, home);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await findProblem(guess())).toEqual(WRONG);
    }
    expect(await findProblem(guess())).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("counts the attempts at all processes together", async () => {
    const there = browser();
    const guessAt = (service: { signIn: typeof signIn }) =>
      service.signIn({ email: user.email, password: "wrong every time" }, there);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await findProblem(guessAt({ signIn }))).toEqual(WRONG);
    }
    vi.resetModules();
    const other = await import("@/lib/auth/sign-in");
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await findProblem(guessAt(other))).toMatchObject({ code: "VALIDATION_ERROR" });
    }
    expect(await findProblem(guessAt(other))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await findProblem(guessAt({ signIn }))).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("resets an address's count after a right password, and never counts right ones", async () => {
    const home = browser();
    const from = (password: string) => signIn({ email: user.email, password }, home);
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 5; attempt += 1) await findProblem(from("wrong every time"));
      expect(await findProblem(from(PASSWORD))).toBeNull();
    }
    for (let attempt = 0; attempt < 14; attempt += 1) expect(await findProblem(enter())).toBeNull();
  });

  it("limits one address to sixty attempts over all accounts", async () => {
    const here = browser();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const email = `nobody-${attempt}@example.test`;
      expect(await findProblem(signIn({ email, password: PASSWORD }, here))).toEqual(WRONG);
    }
    expect(
      await findProblem(signIn({ email: user.email, password: PASSWORD }, here)),
    ).toMatchObject({
      code: "RATE_LIMITED",
    });
  });
});

/** Sends wrong passwords, each from another address. */
async function spendGuesses(count: number, email = user.email): Promise<void> {
  for (let attempt = 0; attempt < count; attempt += 1) {
    expect(await findProblem(enter("not the password at all", email))).toEqual(WRONG);
  }
}

describe("a session", () => {
  it("ends a week after its last use", async () => {
    const { cookie } = await enter();
    now += SESSION_IDLE_MS - MINUTE;
    expect(await findSession(cookie)).not.toBeNull();
    now += SESSION_IDLE_MS - MINUTE;
    expect(await findSession(cookie)).not.toBeNull();
    now += SESSION_IDLE_MS + MINUTE;
    expect(await findSession(cookie)).toBeNull();
    expect(await listSessions(user.userId)).toEqual([]);
  });

  it("ends thirty days after the sign-in", async () => {
    const { cookie } = await enter();
    for (let day = 0; day < 30; day += 1) {
      expect(await findSession(cookie)).not.toBeNull();
      now += DAY;
    }
    now = START + SESSION_MAX_AGE_S * 1000 + MINUTE;
    expect(await findSession(cookie)).toBeNull();
    expect(await listSessions(user.userId)).toEqual([]);
  });

  it("ends if its account is disabled", async () => {
    const { cookie } = await enter();
    await disable();
    expect(await findSession(cookie)).toBeNull();
  });

  it("cannot be forged", async () => {
    const { cookie } = await enter();
    expect(await findSession(undefined)).toBeNull();
    expect(await findSession("not a token")).toBeNull();
    expect(await findSession(`${cookie.slice(0, -3)}abc`)).toBeNull();
  });

  it("ends when it is revoked, and no other does", async () => {
    const [here, there] = [await enter(), await enter()];
    await endSession(user.userId, there.sessionId);
    expect(await findSession(there.cookie)).toBeNull();
    expect((await listSessions(user.userId)).map(({ id }) => id)).toEqual([here.sessionId]);
  });

  it("cannot be revoked by another user", async () => {
    const { cookie, sessionId } = await enter();
    const other = await makeUser();
    await endSession(other.userId, sessionId);
    expect(await findSession(cookie)).not.toBeNull();
  });

  it("survives signing out everywhere else, and all others end", async () => {
    const [here, there] = [await enter(), await enter()];
    const stranger = await makeUser();
    const theirs = await enter(PASSWORD, stranger.email);
    await endOtherSessions(await open(here.cookie));
    expect(await findSession(here.cookie)).not.toBeNull();
    expect(await findSession(there.cookie)).toBeNull();
    expect(await findSession(theirs.cookie)).not.toBeNull();
  });
});

describe("changing the password", () => {
  it("rejects a concurrent sign-in with the old password", async () => {
    const { cookie } = await enter();
    const [former] = await (await getDb()).select().from(users).where(eq(users.id, user.userId));
    await change(cookie, PASSWORD, NEXT_PASSWORD);
    const before = await listSessionsFor(user.userId);
    const late = startSession(user.userId, browser(), former?.passwordHash);
    expect(await findProblem(late)).toEqual(WRONG);
    expect(await listSessionsFor(user.userId)).toEqual(before);
  });

  const change = async (cookie: string, current: string, password: string) =>
    changePassword(await open(cookie), { current, password }, browser().address);

  it("ends every other session and accepts only the new password", async () => {
    const [here, there] = [await enter(), await enter()];
    await change(here.cookie, PASSWORD, NEXT_PASSWORD);
    expect(await findSession(here.cookie)).not.toBeNull();
    expect(await findSession(there.cookie)).toBeNull();
    expect(await findProblem(enter())).toEqual(WRONG);
    expect(await findProblem(enter(NEXT_PASSWORD))).toBeNull();
  });

  it.each([
    ["current", "not the current one", NEXT_PASSWORD],
    ["password", PASSWORD, "too short"],
    ["password", PASSWORD, "password1234"],
    ["password", PASSWORD, "aaaaaaaaaaaaaaaa"],
    ["password", PASSWORD, "x".repeat(257)],
  ])("rejects a wrong %s and changes nothing: %s, %s", async (field, current, password) => {
    const [here, there] = [await enter(), await enter()];
    const problem = await findProblem(change(here.cookie, current, password));
    expect(problem).toMatchObject({ code: "VALIDATION_ERROR", field });
    expect(await findSession(there.cookie)).not.toBeNull();
    expect(await findProblem(enter())).toBeNull();
  });

  it("is limited to ten guesses, which other callers can't use up", async () => {
    const [{ cookie }, other] = [await enter(), await enter()];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await findProblem(change(cookie, "not the current one", NEXT_PASSWORD));
    }
    expect(await findProblem(change(cookie, PASSWORD, NEXT_PASSWORD))).toMatchObject({
      code: "RATE_LIMITED",
    });
    await spendGuesses(20 - 10);
    expect(await findProblem(enter())).toMatchObject({ code: "RATE_LIMITED" });
    expect(await findProblem(change(other.cookie, PASSWORD, NEXT_PASSWORD))).toBeNull();
  });
});

describe("signing up", () => {
  const join = (email: string, password: string) => signUp({ email, password }, browser());
  const countUsers = async () =>
    (await (await getDb()).select({ id: users.id }).from(users)).length;

  it.each([
    ["email", "not an address", NEXT_PASSWORD],
    ["password", "new@example.test", "eleven char"],
    ["password", "new@example.test", "qwerty123456"],
    ["password", "long.enough@example.test", "long.enough@example.test"],
  ])("rejects a bad %s and creates no account: %s, %s", async (field, email, password) => {
    const before = await countUsers();
    expect(await findProblem(join(email, password))).toMatchObject({
      code: "VALIDATION_ERROR",
      field,
    });
    expect(await countUsers()).toBe(before);
  });

  it("is limited to sixty attempts per address in five minutes", async () => {
    const here = browser();
    const probe = (email: string) => signUp({ email, password: NEXT_PASSWORD }, here);
    const before = await countUsers();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      expect(await findProblem(probe(user.email))).toMatchObject({ field: "email" });
    }
    expect(await findProblem(probe(user.email))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await findProblem(probe("free@example.test"))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await countUsers()).toBe(before);
  });

  it("creates no second account for an email, ignoring case", async () => {
    const before = await countUsers();
    expect(await findProblem(join(user.email.toUpperCase(), NEXT_PASSWORD))).toMatchObject({
      field: "email",
    });
    expect(await countUsers()).toBe(before);
  });
});

async function disable(): Promise<void> {
  await (await getDb()).update(users).set({ status: "disabled" }).where(eq(users.id, user.userId));
}

it("a stream of events ends when another browser ends its session, before its own check", async () => {
  const { sessionId, cookie } = await enter();
  const session = await open(cookie);
  const left = new AbortController();
  const events = await streamSessionEvents({
    session,
    query: new URLSearchParams(),
    lastEventId: null,
    signal: left.signal,
    // The periodic check would take longer than the test.
    isSignedIn: async () => true,
  });
  await events.next();
  await endSession(user.userId, sessionId, "another");
  for await (const event of events) {
    if ("event" in event && event.event === "end") {
      expect(event.data).toMatchObject({ reason: "signed_out" });
      left.abort();
      return;
    }
  }
  throw new Error("the stream ended without a reason");
});
