import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { findSession, type Session, SESSION_IDLE_MS, SESSION_MAX_AGE_S } from "@/lib/auth/session";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { users } from "@/lib/db/schema/accounts";
import { sessions } from "@/lib/db/schema/dashboard";
import { endOtherSessions } from "@/lib/services/sessions/end-other-sessions";
import { endSession } from "@/lib/services/sessions/end-session";
import { listSessions } from "@/lib/services/sessions/list-sessions";
import { startSession } from "@/lib/services/sessions/start-session";
import { signIn } from "@/lib/services/sessions/sign-in";
import { changePassword } from "@/lib/services/users/change-password";
import { signUp } from "@/lib/services/users/sign-up";
import { useFreshDatabase } from "@/tests/support/database";
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

/** Each sign-in from an address of its own, so that only the account's limit counts. */
const browser = () => ({
  address: randomBytes(6).toString("hex"),
  userAgent: "Firefox/132.0",
});
const enter = (password = PASSWORD, email = user.email) => signIn({ email, password }, browser());

async function problemOf(attempt: Promise<unknown>) {
  const end = await attempt.then(
    () => null,
    (error: unknown) => error as { code?: string; message: string; field?: string | null },
  );
  return end && { code: end.code, message: end.message, field: end.field ?? null };
}

const sessionsOf = async (userId: string) =>
  (await getDb()).select().from(sessions).where(eq(sessions.userId, userId));

async function open(cookie: string): Promise<Session> {
  const session = await findSession(cookie);
  if (!session) throw new Error("the session is over");
  return session;
}

const WRONG = {
  code: "VALIDATION_ERROR",
  message: "Email or password is incorrect.",
  field: null,
};

describe("signing in", () => {
  it("opens a session of its own each time, for the right password in any case of the email", async () => {
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

  it("gives one answer for a wrong password, an unknown account and a disabled one", async () => {
    expect(await problemOf(enter("not the password at all"))).toEqual(WRONG);
    expect(await problemOf(enter(PASSWORD, "nobody@example.test"))).toEqual(WRONG);
    await disable();
    expect(await problemOf(enter())).toEqual(WRONG);
    expect(await sessionsOf(user.userId)).toEqual([]);
  });

  it("takes no password from an address after ten wrong ones in five minutes, the right one included", async () => {
    const here = browser();
    const from = (password: string) => signIn({ email: user.email, password }, here);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await problemOf(from("not the password at all"))).toEqual(WRONG);
    }
    expect(await problemOf(from(PASSWORD))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await sessionsOf(user.userId)).toEqual([]);
    // What one address spent holds up no other.
    expect(await problemOf(enter())).toBeNull();
  });

  it("takes no password from new addresses after thirty wrong ones from anywhere", async () => {
    await spendGuesses(30);
    expect(await problemOf(enter())).toMatchObject({ code: "RATE_LIMITED" });
    expect(await sessionsOf(user.userId)).toEqual([]);
  });

  it("lets nobody lock the owner out of where the account was used before", async () => {
    const home = browser();
    const first = await signIn({ email: user.email, password: PASSWORD }, home);
    await endSession(user.userId, first.sessionId);
    await spendGuesses(60);
    expect(await problemOf(signIn({ email: user.email, password: PASSWORD }, home))).toBeNull();
    // An address known to one account is not known to another.
    const other = await makeUser();
    await spendGuesses(30, other.email);
    expect(await problemOf(signIn({ email: other.email, password: PASSWORD }, home))).toMatchObject(
      { code: "RATE_LIMITED" },
    );
  });

  it("counts ten guesses even where the account was used before", async () => {
    const home = browser();
    await signIn({ email: user.email, password: PASSWORD }, home);
    const guess = () => signIn({ email: user.email, password: "wrong every time" }, home);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await problemOf(guess())).toEqual(WRONG);
    }
    expect(await problemOf(guess())).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("forgets the wrong ones of an address after a right one, and counts no right one", async () => {
    const home = browser();
    const from = (password: string) => signIn({ email: user.email, password }, home);
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 5; attempt += 1) await problemOf(from("wrong every time"));
      expect(await problemOf(from(PASSWORD))).toBeNull();
    }
    for (let attempt = 0; attempt < 14; attempt += 1) expect(await problemOf(enter())).toBeNull();
  });

  it("stops one address after sixty attempts at whatever accounts", async () => {
    const here = browser();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const email = `nobody-${attempt}@example.test`;
      expect(await problemOf(signIn({ email, password: PASSWORD }, here))).toEqual(WRONG);
    }
    expect(await problemOf(signIn({ email: user.email, password: PASSWORD }, here))).toMatchObject({
      code: "RATE_LIMITED",
    });
  });
});

/** Wrong passwords, each from an address of its own. */
async function spendGuesses(count: number, email = user.email): Promise<void> {
  for (let attempt = 0; attempt < count; attempt += 1) {
    await problemOf(enter("not the password at all", email));
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

  it("ends thirty days after it began, however much it is used", async () => {
    const { cookie } = await enter();
    for (let day = 0; day < 30; day += 1) {
      expect(await findSession(cookie)).not.toBeNull();
      now += DAY;
    }
    now = START + SESSION_MAX_AGE_S * 1000 + MINUTE;
    expect(await findSession(cookie)).toBeNull();
    expect(await listSessions(user.userId)).toEqual([]);
  });

  it("ends with its account", async () => {
    const { cookie } = await enter();
    await disable();
    expect(await findSession(cookie)).toBeNull();
  });

  it("cannot be made up or changed", async () => {
    const { cookie } = await enter();
    expect(await findSession(undefined)).toBeNull();
    expect(await findSession("not a token")).toBeNull();
    expect(await findSession(`${cookie.slice(0, -3)}abc`)).toBeNull();
  });

  it("ends when it is revoked, alone", async () => {
    const [here, there] = [await enter(), await enter()];
    await endSession(user.userId, there.sessionId);
    expect(await findSession(there.cookie)).toBeNull();
    expect((await listSessions(user.userId)).map(({ id }) => id)).toEqual([here.sessionId]);
  });

  it("cannot be revoked by somebody else", async () => {
    const { cookie, sessionId } = await enter();
    const other = await makeUser();
    await endSession(other.userId, sessionId);
    expect(await findSession(cookie)).not.toBeNull();
  });

  it("survives signing out everywhere else, and no other does", async () => {
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
  it("lets nobody in who proved the former one meanwhile", async () => {
    const { cookie } = await enter();
    const [former] = await (await getDb()).select().from(users).where(eq(users.id, user.userId));
    await change(cookie, PASSWORD, NEXT_PASSWORD);
    const before = await sessionsOf(user.userId);
    const late = startSession(user.userId, browser(), former?.passwordHash);
    expect(await problemOf(late)).toEqual(WRONG);
    expect(await sessionsOf(user.userId)).toEqual(before);
  });

  const change = async (cookie: string, current: string, password: string) =>
    changePassword(await open(cookie), { current, password }, browser().address);

  it("ends every other session and takes the new password only", async () => {
    const [here, there] = [await enter(), await enter()];
    await change(here.cookie, PASSWORD, NEXT_PASSWORD);
    expect(await findSession(here.cookie)).not.toBeNull();
    expect(await findSession(there.cookie)).toBeNull();
    expect(await problemOf(enter())).toEqual(WRONG);
    expect(await problemOf(enter(NEXT_PASSWORD))).toBeNull();
  });

  it.each([
    ["current", "not the current one", NEXT_PASSWORD],
    ["password", PASSWORD, "too short"],
    ["password", PASSWORD, "password1234"],
    ["password", PASSWORD, "aaaaaaaaaaaaaaaa"],
    ["password", PASSWORD, "x".repeat(257)],
  ])("refuses a wrong %s and changes nothing: %s, %s", async (field, current, password) => {
    const [here, there] = [await enter(), await enter()];
    const problem = await problemOf(change(here.cookie, current, password));
    expect(problem).toMatchObject({ code: "VALIDATION_ERROR", field });
    expect(await findSession(there.cookie)).not.toBeNull();
    expect(await problemOf(enter())).toBeNull();
  });

  it("stops after ten wrong ones, which nobody else can use up", async () => {
    const [{ cookie }, other] = [await enter(), await enter()];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await problemOf(change(cookie, "not the current one", NEXT_PASSWORD));
    }
    expect(await problemOf(change(cookie, PASSWORD, NEXT_PASSWORD))).toMatchObject({
      code: "RATE_LIMITED",
    });
    await spendGuesses(30);
    expect(await problemOf(change(other.cookie, PASSWORD, NEXT_PASSWORD))).toBeNull();
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
  ])("refuses a bad %s and makes no account: %s, %s", async (field, email, password) => {
    const before = await countUsers();
    expect(await problemOf(join(email, password))).toMatchObject({
      code: "VALIDATION_ERROR",
      field,
    });
    expect(await countUsers()).toBe(before);
  });

  it("tells one address only sixty times in five minutes which emails have an account", async () => {
    const here = browser();
    const probe = (email: string) => signUp({ email, password: NEXT_PASSWORD }, here);
    const before = await countUsers();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      expect(await problemOf(probe(user.email))).toMatchObject({ field: "email" });
    }
    expect(await problemOf(probe(user.email))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await problemOf(probe("free@example.test"))).toMatchObject({ code: "RATE_LIMITED" });
    expect(await countUsers()).toBe(before);
  });

  it("opens no second account for one address, whatever its case", async () => {
    const before = await countUsers();
    expect(await problemOf(join(user.email.toUpperCase(), NEXT_PASSWORD))).toMatchObject({
      field: "email",
    });
    expect(await countUsers()).toBe(before);
  });
});

async function disable(): Promise<void> {
  await (await getDb()).update(users).set({ status: "disabled" }).where(eq(users.id, user.userId));
}
