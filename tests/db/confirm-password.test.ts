import { describe, expect, it } from "vitest";
import { findSession } from "@/lib/auth/session";
import { confirmPassword } from "@/lib/services/sessions/confirm-password";
import { startSession } from "@/lib/services/sessions/start-session";
import { useFreshDatabase } from "@/tests/support/database";
import { makeUser } from "@/tests/support/users";

useFreshDatabase();

const PASSWORD = "correct horse battery staple";
const WRONG = { code: "VALIDATION_ERROR", field: "current" };

async function sessionOf(address: string) {
  const { userId } = await makeUser();
  const { cookie } = await startSession(userId, { address, userAgent: "test" });
  const session = await findSession(cookie);
  if (!session) throw new Error("the session has begun");
  return session;
}

describe("asking for the password again", () => {
  it("lets through who knows it, and nobody else", async () => {
    const [mine, theirs] = [await sessionOf("192.0.2.1"), await sessionOf("192.0.2.2")];
    await expect(confirmPassword(mine, PASSWORD, "192.0.2.1")).resolves.toBeUndefined();
    for (const wrong of ["", `${PASSWORD} `, PASSWORD.toUpperCase(), theirs.email]) {
      await expect(confirmPassword(mine, wrong, "192.0.2.1")).rejects.toMatchObject(WRONG);
    }
  });

  it("stops guessing after ten tries, and counts from the start after a right one", async () => {
    const session = await sessionOf("192.0.2.3");
    const guess = () => confirmPassword(session, "a guess of a password", "192.0.2.3");
    for (let count = 0; count < 9; count += 1) await expect(guess()).rejects.toMatchObject(WRONG);
    await confirmPassword(session, PASSWORD, "192.0.2.3");
    for (let count = 0; count < 10; count += 1) await expect(guess()).rejects.toMatchObject(WRONG);
    await expect(guess()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const right = confirmPassword(session, PASSWORD, "192.0.2.3");
    await expect(right).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});
