import { describe, expect, it } from "vitest";
import { findSession } from "@/lib/auth/session";
import { confirmPassword } from "@/lib/auth/confirm-password";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { startSession } from "@/lib/auth/start-session";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

const PASSWORD = "correct horse battery staple";
const WRONG = { code: "VALIDATION_ERROR", field: "current" };

async function createSession(address: string) {
  const { userId } = await makeUser();
  const { cookie } = await startSession(userId, { address, userAgent: "test" });
  const session = await findSession(cookie);
  if (!session) throw new Error("the session has begun");
  return session;
}

describe("confirming the password", () => {
  it("accepts only the right password", async () => {
    const [mine, theirs] = [await createSession("192.0.2.1"), await createSession("192.0.2.2")];
    await expect(confirmPassword(mine, PASSWORD, "192.0.2.1")).resolves.toBeUndefined();
    for (const wrong of ["", `${PASSWORD} `, PASSWORD.toUpperCase(), theirs.email]) {
      await expect(confirmPassword(mine, wrong, "192.0.2.1")).rejects.toMatchObject(WRONG);
    }
  });

  it("says that an empty password is missing, and neither counts nor records it", async () => {
    const session = await createSession("192.0.2.9");
    for (let count = 0; count < 15; count += 1) {
      const empty = confirmPassword(session, "", "192.0.2.9");
      await expect(empty).rejects.toMatchObject({ ...WRONG, message: "Enter your password." });
    }
    const { lines } = await listSecurityEvents(session.principal.userId, { limit: 50 });
    expect(lines.map(({ kind }) => kind)).not.toContain("password_refused");
    await expect(confirmPassword(session, PASSWORD, "192.0.2.9")).resolves.toBeUndefined();
  });

  it("is limited to ten guesses, and a right password resets the count", async () => {
    const session = await createSession("192.0.2.3");
    const guess = () => confirmPassword(session, "a guess of a password", "192.0.2.3");
    for (let count = 0; count < 9; count += 1) await expect(guess()).rejects.toMatchObject(WRONG);
    await confirmPassword(session, PASSWORD, "192.0.2.3");
    for (let count = 0; count < 10; count += 1) await expect(guess()).rejects.toMatchObject(WRONG);
    await expect(guess()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const right = confirmPassword(session, PASSWORD, "192.0.2.3");
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("is limited to twenty guesses in ten minutes over all sessions of the account", async () => {
    const { userId } = await makeUser();
    const guesses: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { cookie } = await startSession(userId, {
        address: `198.51.100.${count}`,
        userAgent: "test",
      });
      const session = await findSession(cookie);
      if (!session) throw new Error("the session has begun");
      for (let guess = 0; guess < 10; guess += 1) {
        const end = confirmPassword(session, "a guess of a password", `198.51.100.${count}`);
        guesses.push(
          await end.then(
            () => null,
            (error: { code: string }) => error.code,
          ),
        );
      }
    }
    expect(guesses.filter((code) => code === "VALIDATION_ERROR")).toHaveLength(20);
    expect(guesses.filter((code) => code === "RATE_LIMITED")).toHaveLength(10);
  });
});
