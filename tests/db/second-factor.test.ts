import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { listSecurityEvents } from "@/lib/auth/security-events";
import {
  listFactors,
  removeAllFactors,
  removeFactor,
  renewRecoveryCodes,
} from "@/lib/auth/second-factor/change-factors";
import { startPasskeyCheck } from "@/lib/auth/second-factor/check-passkey";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { finishPasskey, startPasskey } from "@/lib/auth/second-factor/register-passkey";
import { findProofNeed, requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import {
  confirmTotpSetup,
  findTotpSetup,
  startTotpSetup,
} from "@/lib/auth/second-factor/set-up-totp";
import { completeSignIn, findWaitingSignIn } from "@/lib/auth/second-factor/waiting-sign-in";
import { endSession, listSessions } from "@/lib/auth/manage-sessions";
import { findSession, requireRequestSession, type Session } from "@/lib/auth/session";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { signIn } from "@/lib/auth/sign-in";
import { changePassword } from "@/lib/accounts/change-password";
import { createResetLink, resetPassword } from "@/lib/accounts/reset-password";
import { setClock } from "@/lib/clock";
import { rotateKeys } from "@/lib/custody/rotate-keys";
import { getDb } from "@/lib/db/client";
import { passkeys, recoveryCodes, totpSecrets } from "@/lib/db/schema/second-factor";
import { sessions } from "@/lib/db/schema/dashboard";
import { env } from "@/lib/env";
import { MAX_PASSKEYS } from "@/lib/domain/second-factor";
import { changes, restoreEnv } from "@/tests/support/custody/environment";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { SoftwareAuthenticator, type Twist } from "@/tests/support/second-factor/authenticator";
import {
  addPasskey,
  type App,
  nextAddress,
  openSession,
  ORIGIN,
  PASSWORD,
  readApp,
  setUpApp,
} from "@/tests/support/second-factor/factors";
import { makeUser, type TestUser } from "@/tests/support/users";

vi.mock("@/lib/env", async (importOriginal) =>
  (await import("@/tests/support/custody/environment")).changedEnv(importOriginal),
);
restoreEnv();
useFreshDatabase();

const MINUTE = 60_000;
const STEP = 30_000;
const NEXT_PASSWORD = "a sentence that nobody guesses";
let now = Date.UTC(2026, 10, 25, 12);
const restoreClock = setClock(() => now);
afterAll(restoreClock);

let user: TestUser;
let session: Session;
beforeEach(async () => {
  changes.NEXTAUTH_URL = ORIGIN;
  // Each test has codes of its own.
  now += 60 * MINUTE;
  user = await makeUser();
  session = await openSession(user.userId);
});

const withCode = (code: string): Proof => ({ address: nextAddress(), code });
const withPasskey = (passkey: string): Proof => ({ address: nextAddress(), passkey });
const nothing = (): Proof => ({ address: nextAddress() });
/** A guarded action without an effect of its own. */
const prove = (by: Session, proof: Proof) => requireFreshFactor(by, "approve", proof);

async function findCode(attempt: Promise<unknown>): Promise<string | null> {
  return attempt.then(
    () => null,
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
}

async function readFactorAt({ id }: Session): Promise<Date | null> {
  const [row] = await (await getDb()).select().from(sessions).where(eq(sessions.id, id));
  return row?.factorAt ?? null;
}

async function listKinds(userId = user.userId): Promise<string[]> {
  const { lines } = await listSecurityEvents(userId, { limit: 100 });
  return lines.map(({ kind }) => kind);
}

/** Signs in with the password and finishes with a second factor. */
async function signInWith(proof: Proof): Promise<Session> {
  const browser = { address: nextAddress(), userAgent: "test" };
  const { cookie } = await signIn({ email: user.email, password: PASSWORD }, browser);
  const waiting = await findWaitingSignIn(cookie);
  if (!waiting) throw new Error("the sign-in waits");
  const done = await completeSignIn(waiting, proof, browser);
  const opened = await findSession(done.cookie);
  if (!opened) throw new Error("the session has begun");
  return opened;
}

describe("an authenticator app", () => {
  let app: App;
  let codes: string[];
  let other: Session;
  beforeEach(async () => {
    other = await openSession(user.userId);
    ({ app, codes } = await setUpApp(session, now));
    // The code of the setup is used up.
    now += STEP;
  });

  it("gives ten recovery codes with the first factor, and none with the second", async () => {
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^([a-z02-9]{4}-){3}[a-z02-9]{4}$/);
    const options = await startPasskey(session, "laptop", nothing());
    const made = new SoftwareAuthenticator(ORIGIN).register(options);
    expect(await finishPasskey(session, "laptop", made)).toBeNull();
    expect((await listFactors(user.userId)).recoveryCodesLeft).toBe(10);
  });

  it("shows its secret only to the session that sets it up, and only until it is confirmed", async () => {
    await startTotpSetup(session, nothing());
    expect(await findTotpSetup(other)).toBeNull();
    expect((await findTotpSetup(session))?.uri).toMatch(/^otpauth:\/\/totp\/Ante:/);
    await confirmTotpSetup(session, (await readApp(session)).codeAt(now));
    expect(await findTotpSetup(session)).toBeNull();
  });

  it("has a secret of 160 bits, sealed in the database", async () => {
    await startTotpSetup(session, nothing());
    const { secret } = (await findTotpSetup(session)) ?? { secret: "" };
    expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const rows = await (await getDb()).select().from(totpSecrets);
    expect(JSON.stringify(rows)).not.toContain(secret.replaceAll(" ", ""));
    expect(rows.every(({ sealedSecret }) => sealedSecret.startsWith("v2."))).toBe(true);
  });

  it("makes only its own session fresh, for five minutes", async () => {
    expect(await findCode(prove(other, nothing()))).toBe("SECOND_FACTOR_REQUIRED");
    await prove(other, withCode(app.codeAt(now)));
    now += 5 * MINUTE - 1;
    expect(await prove(other, nothing())).toBe("factor");
    now += 1;
    expect(await findCode(prove(other, nothing()))).toBe("SECOND_FACTOR_REQUIRED");
    expect(await findProofNeed(other, "approve")).toEqual({
      kind: "factor",
      hasPasskeys: false,
      hasApp: true,
    });
  });

  it("is required even with the right password", async () => {
    const proof = { ...nothing(), password: PASSWORD };
    expect(await findCode(prove(other, proof))).toBe("SECOND_FACTOR_REQUIRED");
    expect(await readFactorAt(other)).toBeNull();
  });

  it("accepts a code once, also if it is sent twice at once", async () => {
    const third = await openSessionWith(codes[0]);
    const code = app.codeAt(now);
    now += 6 * MINUTE;
    const late = app.codeAt(now);
    const ends = await Promise.all([
      findCode(prove(other, withCode(late))),
      findCode(prove(third, withCode(late))),
    ]);
    expect(ends.toSorted()).toEqual(["VALIDATION_ERROR", null].toSorted());
    now += 6 * MINUTE;
    for (const used of [code, late]) {
      expect(await findCode(prove(other, withCode(used)))).toBe("VALIDATION_ERROR");
    }
  });

  it("accepts the code of the step before and after, and no others", async () => {
    // In the middle of a step.
    now += 10 * STEP - (now % STEP) + STEP / 2;
    for (const steps of [-3, -2, 2, 3]) {
      const code = app.codeAt(now + steps * STEP);
      expect(await findCode(prove(other, withCode(code))), String(steps)).toBe("VALIDATION_ERROR");
    }
    expect(await readFactorAt(other)).toBeNull();
    expect(await prove(other, withCode(app.codeAt(now - STEP)))).toBe("factor");
    now += 6 * MINUTE;
    expect(await prove(other, withCode(app.codeAt(now + STEP)))).toBe("factor");
  });

  it("accepts no code of a step before one that was used", async () => {
    await prove(other, withCode(app.codeAt(now + STEP)));
    now += 5 * MINUTE;
    const third = await openSessionWith(codes[1]);
    now += 5 * MINUTE;
    await prove(third, withCode(app.codeAt(now + STEP)));
    expect(await findCode(prove(other, withCode(app.codeAt(now))))).toBe("VALIDATION_ERROR");
  });

  it("accepts no code of another user", async () => {
    const stranger = await makeUser();
    const theirs = await openSession(stranger.userId);
    await setUpApp(theirs, now);
    now += 6 * MINUTE;
    expect(await findCode(prove(theirs, withCode(app.codeAt(now))))).toBe("VALIDATION_ERROR");
  });

  it("is limited to ten wrong codes per account, while recovery codes keep working", async () => {
    const wrong = () => withCode(app.codeAt(now + 100 * STEP));
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await findCode(prove(other, wrong()))).toBe("VALIDATION_ERROR");
    }
    const third = await openSessionWith(codes[0]);
    now += 6 * MINUTE;
    expect(await findCode(prove(third, withCode(app.codeAt(now))))).toBe("RATE_LIMITED");
    expect(await prove(third, withCode(codes[1] ?? ""))).toBe("factor");
  });

  it("is limited to fifty wrong codes a day", async () => {
    let wrong = 0;
    let by = other;
    for (let round = 0; round < 6; round += 1) {
      by = await openSessionWith(codes[round]);
      now += 11 * MINUTE;
      for (let guess = 0; guess < 9; guess += 1) {
        const end = await findCode(prove(by, withCode(app.codeAt(now + 100 * STEP))));
        if (end === "VALIDATION_ERROR") wrong += 1;
      }
    }
    expect(wrong).toBe(50);
    expect(await findCode(prove(other, withCode(app.codeAt(now))))).toBe("RATE_LIMITED");
    expect(await readFactorAt(other)).toBeNull();
  });

  it("is replaced by a new one only with its first code", async () => {
    await startTotpSetup(session, nothing());
    const next = await readApp(session);
    expect(await findCode(confirmTotpSetup(session, "000000"))).toBe("VALIDATION_ERROR");
    expect(await prove(other, withCode(app.codeAt(now)))).toBe("factor");
    await confirmTotpSetup(session, next.codeAt(now));
    now += 6 * MINUTE;
    expect(await findCode(prove(other, withCode(app.codeAt(now))))).toBe("VALIDATION_ERROR");
    expect(await prove(other, withCode(next.codeAt(now)))).toBe("factor");
  });

  it("keeps working after its secret is rewrapped", async () => {
    const [row] = await readSecrets();
    changes.KEY_ENCRYPTION_KEYS = `next:${randomBytes(32).toString("base64")},${env().KEY_ENCRYPTION_KEYS}`;
    expect((await rotateKeys("next")).rewrapped).toBeGreaterThan(0);
    const [rewrapped] = await readSecrets();
    expect(rewrapped?.sealedSecret).not.toBe(row?.sealedSecret);
    expect(await prove(other, withCode(app.codeAt(now)))).toBe("factor");
  });

  const readSecrets = async () =>
    (await getDb()).select().from(totpSecrets).where(eq(totpSecrets.userId, user.userId));

  /** Signs in with a recovery code. The session is fresh, so the test lets time pass. */
  async function openSessionWith(code = ""): Promise<Session> {
    return signInWith(withCode(code));
  }
});

describe("a setup that began with the password", () => {
  it("can't add a factor after another session added the first one", async () => {
    const thief = await openSession(user.userId);
    const password = { ...nothing(), password: PASSWORD };
    const options = await startPasskey(thief, "thief", password);
    await startTotpSetup(thief, password);
    const stolen = await readApp(thief);
    await addPasskey(session);
    const before = await listFactors(user.userId);
    const made = new SoftwareAuthenticator(ORIGIN).register(options);
    expect(await findCode(finishPasskey(thief, "thief", made))).toBe("SECOND_FACTOR_REQUIRED");
    const late = confirmTotpSetup(thief, stolen.codeAt(now));
    expect(await findCode(late)).toBe("SECOND_FACTOR_REQUIRED");
    expect(await listFactors(user.userId)).toEqual(before);
  });

  it("expires after ten minutes", async () => {
    await startTotpSetup(session, { ...nothing(), password: PASSWORD });
    const app = await readApp(session);
    now += 10 * MINUTE;
    expect(await findTotpSetup(session)).toBeNull();
    expect(await findCode(confirmTotpSetup(session, app.codeAt(now)))).toBe("VALIDATION_ERROR");
    expect((await listFactors(user.userId)).appAddedAt).toBeNull();
  });

  it("doesn't begin with a wrong password", async () => {
    const wrong = { ...nothing(), password: "not the password at all" };
    expect(await findCode(startTotpSetup(session, wrong))).toBe("VALIDATION_ERROR");
    expect(await findCode(startPasskey(session, "laptop", wrong))).toBe("VALIDATION_ERROR");
    expect(await findTotpSetup(session)).toBeNull();
  });
});

describe("recovery codes", () => {
  let codes: string[];
  beforeEach(async () => {
    ({ codes } = await setUpApp(session, now));
    now += 6 * MINUTE;
  });

  it("work once each, ignoring case, spaces and hyphens", async () => {
    const [code = ""] = codes;
    const typed = ` ${code.toUpperCase().replaceAll("-", " ")} `;
    expect(await prove(session, withCode(typed))).toBe("factor");
    expect((await listFactors(user.userId)).recoveryCodesLeft).toBe(9);
    now += 6 * MINUTE;
    expect(await findCode(prove(session, withCode(code)))).toBe("VALIDATION_ERROR");
    expect(await listKinds()).toEqual(
      expect.arrayContaining(["recovery_code_used", "factor_refused"]),
    );
  });

  it("work once if they are sent twice at once", async () => {
    const [code = "", spare = ""] = codes;
    const other = await signInWith(withCode(spare));
    now += 6 * MINUTE;
    const ends = await Promise.all([
      findCode(prove(session, withCode(code))),
      findCode(prove(other, withCode(code))),
    ]);
    expect(ends.filter((end) => end === null)).toHaveLength(1);
    expect((await listFactors(user.userId)).recoveryCodesLeft).toBe(8);
  });

  it("are stored as hashes, and are no good to another user", async () => {
    const stored = JSON.stringify(await (await getDb()).select().from(recoveryCodes));
    for (const code of codes) expect(stored).not.toContain(code.replaceAll("-", ""));
    const stranger = await openSession((await makeUser()).userId);
    await setUpApp(stranger, now);
    now += 6 * MINUTE;
    expect(await findCode(prove(stranger, withCode(codes[0] ?? "")))).toBe("VALIDATION_ERROR");
    expect((await listFactors(user.userId)).recoveryCodesLeft).toBe(10);
  });

  it("are replaced by new ones", async () => {
    const fresh = await renewRecoveryCodes(session, withCode(codes[0] ?? ""));
    now += 6 * MINUTE;
    expect(await findCode(prove(session, withCode(codes[1] ?? "")))).toBe("VALIDATION_ERROR");
    expect(await prove(session, withCode(fresh[0] ?? ""))).toBe("factor");
  });

  it("aren't replaced with a stale factor", async () => {
    expect(await findCode(renewRecoveryCodes(session, nothing()))).toBe("SECOND_FACTOR_REQUIRED");
    expect(await prove(session, withCode(codes[0] ?? ""))).toBe("factor");
  });
});

describe("a passkey", () => {
  let authenticator: SoftwareAuthenticator;
  let other: Session;
  beforeEach(async () => {
    other = await openSession(user.userId);
    ({ authenticator } = await addPasskey(session));
    now += 6 * MINUTE;
  });

  const ask = ({ id, principal }: Session) => startPasskeyCheck({ id, userId: principal.userId });

  it("makes its session fresh", async () => {
    expect(await findCode(prove(other, nothing()))).toBe("SECOND_FACTOR_REQUIRED");
    const signed = authenticator.assert(await ask(other), { userHandle: user.userId });
    expect(await prove(other, withPasskey(signed))).toBe("factor");
    expect(await prove(other, nothing())).toBe("factor");
    expect(await findCode(prove(session, nothing()))).toBe("SECOND_FACTOR_REQUIRED");
    expect((await listFactors(user.userId)).passkeys[0]?.lastUsedAt).toEqual(new Date(now));
  });

  const TWISTS: [string, Twist][] = [
    ["a foreign origin", { origin: "https://ante.example.evil.test" }],
    ["the origin over http", { origin: "http://ante.example" }],
    ["another port", { origin: "https://ante.example:8443" }],
    ["a foreign relying party", { rpId: "evil.test" }],
    ["a registration in place of an assertion", { type: "webauthn.create" }],
    ["no user verification", { isUserVerified: false }],
    ["a frame of another site", { crossOrigin: true }],
    ["another user's handle", { userHandle: "usr_somebody" }],
    ["a forged signature", { isForged: true }],
  ];
  it.each(TWISTS)("is refused with %s", async (_, twist) => {
    const signed = authenticator.assert(await ask(other), twist);
    await expect(prove(other, withPasskey(signed))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "passkey",
    });
    expect(await readFactorAt(other)).toBeNull();
    expect(await listKinds()).toContain("factor_refused");
  });

  it("is refused if the same response is sent again", async () => {
    const signed = authenticator.assert(await ask(other));
    await prove(other, withPasskey(signed));
    now += 6 * MINUTE;
    expect(await findCode(prove(other, withPasskey(signed)))).toBe("VALIDATION_ERROR");
    // Also beside a new challenge.
    await ask(other);
    expect(await findCode(prove(other, withPasskey(signed)))).toBe("VALIDATION_ERROR");
  });

  it("is accepted once if the same response is sent twice at once", async () => {
    const signed = authenticator.assert(await ask(other));
    const ends = await Promise.all([1, 2].map(() => findCode(prove(other, withPasskey(signed)))));
    expect(ends.filter((end) => end === null)).toHaveLength(1);
  });

  it("is refused after a failed check used up the challenge", async () => {
    const options = await ask(other);
    await findCode(prove(other, withPasskey(authenticator.assert(options, { isForged: true }))));
    const signed = authenticator.assert(options);
    expect(await findCode(prove(other, withPasskey(signed)))).toBe("VALIDATION_ERROR");
  });

  it("is refused after five minutes", async () => {
    const signed = authenticator.assert(await ask(other));
    now += 5 * MINUTE;
    expect(await findCode(prove(other, withPasskey(signed)))).toBe("VALIDATION_ERROR");
    expect(await readFactorAt(other)).toBeNull();
  });

  it("is refused with the challenge of another session or an older one", async () => {
    const old = await ask(other);
    const elsewhere = await ask(session);
    await ask(other);
    for (const options of [old, elsewhere]) {
      const signed = authenticator.assert(options);
      expect(await findCode(prove(other, withPasskey(signed)))).toBe("VALIDATION_ERROR");
      await ask(other);
    }
    expect(await readFactorAt(other)).toBeNull();
  });

  it("is refused with the challenge of a registration", async () => {
    const fresh = authenticator.assert(await ask(session));
    await prove(session, withPasskey(fresh));
    const options = await startPasskey(session, "phone", nothing());
    now += 6 * MINUTE;
    const signed = authenticator.assert(options);
    expect(await findCode(prove(session, withPasskey(signed)))).toBe("VALIDATION_ERROR");
  });

  it("is refused for another user", async () => {
    const stranger = await makeUser();
    const theirs = await openSession(stranger.userId);
    await addPasskey(theirs);
    now += 6 * MINUTE;
    const signed = authenticator.assert(await ask(theirs));
    expect(await findCode(prove(theirs, withPasskey(signed)))).toBe("VALIDATION_ERROR");
    expect((await listFactors(user.userId)).passkeys[0]?.lastUsedAt).toBeNull();
  });

  it("is refused if its counter doesn't go up", async () => {
    await prove(other, withPasskey(authenticator.assert(await ask(other), { counter: 5 })));
    now += 6 * MINUTE;
    for (const counter of [0, 4, 5]) {
      const signed = authenticator.assert(await ask(other), { counter });
      expect(await findCode(prove(other, withPasskey(signed))), String(counter)).toBe(
        "VALIDATION_ERROR",
      );
    }
    const signed = authenticator.assert(await ask(other), { counter: 6 });
    expect(await prove(other, withPasskey(signed))).toBe("factor");
  });

  it("may never count", async () => {
    for (let use = 0; use < 2; use += 1) {
      const signed = authenticator.assert(await ask(other), { counter: 0 });
      expect(await prove(other, withPasskey(signed))).toBe("factor");
      now += 6 * MINUTE;
    }
  });

  it.each(["", "{}", "null", "[1]", '{"id":"x"}', "x".repeat(100_000)])(
    "is refused as %.20s",
    async (text) => {
      await ask(other);
      expect(await findCode(prove(other, withPasskey(text)))).not.toBeNull();
      expect(await readFactorAt(other)).toBeNull();
    },
  );

  it("belongs to one user", async () => {
    const stranger = await makeUser();
    const theirs = await openSession(stranger.userId);
    const options = await startPasskey(theirs, "copy", { ...nothing(), password: PASSWORD });
    const made = authenticator.register(options);
    expect(await findCode(finishPasskey(theirs, "copy", made))).toBe("VALIDATION_ERROR");
    expect((await listFactors(stranger.userId)).passkeys).toEqual([]);
    expect((await listFactors(stranger.userId)).recoveryCodesLeft).toBe(0);
  });

  it("isn't registered from a foreign origin or without user verification", async () => {
    const fresh = authenticator.assert(await ask(session));
    await prove(session, withPasskey(fresh));
    const twists: Twist[] = [
      { origin: "https://evil.test" },
      { rpId: "evil.test" },
      { isUserVerified: false },
      { type: "webauthn.get" },
    ];
    for (const twist of twists) {
      const options = await startPasskey(session, "phone", nothing());
      const made = new SoftwareAuthenticator(ORIGIN).register(options, twist);
      expect(await findCode(finishPasskey(session, "phone", made))).toBe("VALIDATION_ERROR");
    }
    expect((await listFactors(user.userId)).passkeys).toHaveLength(1);
  });

  it("is one of at most ten", async () => {
    const fresh = authenticator.assert(await ask(session));
    await prove(session, withPasskey(fresh));
    for (let count = 1; count < MAX_PASSKEYS; count += 1) {
      const options = await startPasskey(session, `key ${count}`, nothing());
      const made = new SoftwareAuthenticator(ORIGIN).register(options);
      await finishPasskey(session, `key ${count}`, made);
    }
    expect(await findCode(startPasskey(session, "one more", nothing()))).toBe("VALIDATION_ERROR");
    const rows = await (
      await getDb()
    )
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, user.userId));
    expect(rows).toHaveLength(MAX_PASSKEYS);
  });

  it("isn't offered for an address in numbers or without https", async () => {
    for (const url of ["http://ante.example", "https://192.0.2.1", "http://192.0.2.1:3000"]) {
      changes.NEXTAUTH_URL = url;
      expect(await findCode(ask(other)), url).toBe("VALIDATION_ERROR");
    }
    changes.NEXTAUTH_URL = "http://localhost:3000";
    expect((await ask(other)).rpId).toBe("localhost");
  });
});

describe("removing factors", () => {
  it("needs a fresh factor, and takes the recovery codes with the last one", async () => {
    const { codes } = await setUpApp(session, now);
    now += 6 * MINUTE;
    expect(await findCode(removeFactor(session, "app", nothing()))).toBe("SECOND_FACTOR_REQUIRED");
    expect((await listFactors(user.userId)).recoveryCodesLeft).toBe(10);
    await removeFactor(session, "app", withCode(codes[0] ?? ""));
    expect(await listFactors(user.userId)).toEqual({
      passkeys: [],
      appAddedAt: null,
      recoveryCodesLeft: 0,
    });
    expect(await readFactorAt(session)).toBeNull();
    expect(await prove(session, { ...nothing(), password: PASSWORD })).toBe("password");
    expect(await listKinds()).toContain("totp_removed");
  });

  it("leaves the other user's passkey alone", async () => {
    const stranger = await makeUser();
    await addPasskey(await openSession(stranger.userId));
    const [theirs] = (await listFactors(stranger.userId)).passkeys;
    await addPasskey(session);
    const end = await findCode(removeFactor(session, theirs?.id ?? "", nothing()));
    expect(end).toBe("VALIDATION_ERROR");
    expect((await listFactors(stranger.userId)).passkeys).toHaveLength(1);
  });

  it("by the operator makes the password suffice, and is logged", async () => {
    await setUpApp(session, now);
    const browser = { address: nextAddress(), userAgent: "test" };
    const { cookie } = await signIn({ email: user.email, password: PASSWORD }, browser);
    await removeAllFactors(user.userId);
    expect(await findWaitingSignIn(cookie)).toBeNull();
    expect(await prove(session, { ...nothing(), password: PASSWORD })).toBe("password");
    expect((await listKinds())[0]).toBe("factors_removed");
    await expect(removeAllFactors("usr_nobody")).rejects.toThrow("no user");
  });

  it("isn't done by a password reset", async () => {
    const { codes } = await setUpApp(session, now);
    const { link } = await createResetLink(user.userId);
    const token = new URL(link).searchParams.get("token") ?? "";
    await resetPassword(token, NEXT_PASSWORD, nextAddress());
    const browser = { address: nextAddress(), userAgent: "test" };
    const started = await signIn({ email: user.email, password: NEXT_PASSWORD }, browser);
    expect(started.isWaiting).toBe(true);
    expect((await listFactors(user.userId)).recoveryCodesLeft).toBe(codes.length);
  });
});

describe("signing in with a second factor", () => {
  let app: App;
  let codes: string[];
  const browser = () => ({ address: nextAddress(), userAgent: "test" });
  beforeEach(async () => {
    ({ app, codes } = await setUpApp(session, now));
    now += STEP;
  });

  const enterPassword = () => signIn({ email: user.email, password: PASSWORD }, browser());
  async function requireWaiting(cookie: string) {
    const waiting = await findWaitingSignIn(cookie);
    if (!waiting) throw new Error("the sign-in waits");
    return waiting;
  }

  it("starts no session with the password alone", async () => {
    const before = await listSessions(user.userId);
    const { cookie, isWaiting } = await enterPassword();
    expect(isWaiting).toBe(true);
    expect(await findSession(cookie)).toBeNull();
    const headers = new Headers({ cookie: `${sessionCookieName()}=${cookie}` });
    expect(await findCode(requireRequestSession({ headers }))).toBe("SESSION_ENDED");
    expect(await listSessions(user.userId)).toEqual(before);
    expect(await listKinds()).toContain("factor_asked");
  });

  it("starts a fresh session with the second factor, under another cookie", async () => {
    const { cookie } = await enterPassword();
    const done = await completeSignIn(
      await requireWaiting(cookie),
      withCode(app.codeAt(now)),
      browser(),
    );
    expect(done.cookie).not.toBe(cookie);
    expect(await findSession(cookie)).toBeNull();
    const opened = await findSession(done.cookie);
    expect(opened && (await prove(opened, nothing()))).toBe("factor");
  });

  it("starts one session with a code that is sent twice at once", async () => {
    const { cookie } = await enterPassword();
    const waiting = await requireWaiting(cookie);
    const ends = await Promise.all(
      [codes[0], codes[1]].map((code) =>
        findCode(completeSignIn(waiting, withCode(code ?? ""), browser())),
      ),
    );
    expect(ends.toSorted()).toEqual(["SESSION_ENDED", null].toSorted());
  });

  it("is refused without a factor, with a wrong one and with the password again", async () => {
    const before = await listSessions(user.userId);
    const waiting = await requireWaiting((await enterPassword()).cookie);
    const wrong = [nothing(), withCode("000000"), { ...nothing(), password: PASSWORD }];
    for (const proof of wrong) {
      expect(await findCode(completeSignIn(waiting, proof, browser()))).not.toBeNull();
    }
    expect(await listSessions(user.userId)).toEqual(before);
  });

  it("waits for ten minutes", async () => {
    const { cookie } = await enterPassword();
    now += 10 * MINUTE - 1;
    expect(await findWaitingSignIn(cookie)).not.toBeNull();
    now += 1;
    expect(await findWaitingSignIn(cookie)).toBeNull();
  });

  it("ends if the password changes meanwhile", async () => {
    const { cookie } = await enterPassword();
    const waiting = await requireWaiting(cookie);
    const change = { current: PASSWORD, password: NEXT_PASSWORD };
    await changePassword(session, change, nextAddress());
    expect(await findWaitingSignIn(cookie)).toBeNull();
    const late = completeSignIn(waiting, withCode(codes[0] ?? ""), browser());
    expect(await findCode(late)).toBe("SESSION_ENDED");
  });

  it("works with a passkey too", async () => {
    const options = await startPasskey(session, "laptop", nothing());
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    await finishPasskey(session, "laptop", authenticator.register(options));
    const waiting = await requireWaiting((await enterPassword()).cookie);
    const signed = authenticator.assert(await startPasskeyCheck(waiting));
    const done = await completeSignIn(waiting, withPasskey(signed), browser());
    expect(await findSession(done.cookie)).not.toBeNull();
  });
});

describe("a fresh session", () => {
  it("is stale after the password changes", async () => {
    await setUpApp(session, now);
    expect(await prove(session, nothing())).toBe("factor");
    await changePassword(session, { current: PASSWORD, password: NEXT_PASSWORD }, nextAddress());
    expect(await findCode(prove(session, nothing()))).toBe("SECOND_FACTOR_REQUIRED");
  });

  it("does nothing once it has ended", async () => {
    await setUpApp(session, now);
    await endSession(user.userId, session.id);
    expect(await findCode(prove(session, nothing()))).toBe("SESSION_ENDED");
  });
});
