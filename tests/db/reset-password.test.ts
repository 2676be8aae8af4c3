import { afterAll, beforeEach, expect, it } from "vitest";
import { findSession } from "@/lib/auth/session";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { passwordResets } from "@/lib/db/schema/dashboard";
import { signIn } from "@/lib/auth/sign-in";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { startSession } from "@/lib/auth/start-session";
import { createResetLink, findReset, resetPassword } from "@/lib/accounts/reset-password";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { makeUser, type TestUser } from "@/tests/support/users";

useFreshDatabase();

const HOUR = 3_600_000;
const NEXT_PASSWORD = "a sentence that nobody guesses";
const HERE = { address: "192.0.2.1", userAgent: "test" };
const SPENT = {
  code: "VALIDATION_ERROR",
  message: expect.stringContaining("expired or was already used"),
};
let now = Date.UTC(2026, 10, 21, 12);
const restore = setClock(() => now);
afterAll(restore);
let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

const makeToken = async (userId = user.userId) =>
  new URL((await createResetLink(userId)).link).searchParams.get("token") ?? "";
const reset = (token: string, password = NEXT_PASSWORD) =>
  resetPassword(token, password, HERE.address);

it("a reset link sets the password once and ends every session", async () => {
  const { cookie } = await startSession(user.userId, HERE);
  const token = await makeToken();
  expect(await findReset(token)).toEqual({ userId: user.userId, email: user.email });
  await expect(reset(token, "too short")).rejects.toMatchObject({ field: "password" });
  expect(await findSession(cookie)).not.toBeNull();
  await reset(token);
  expect(await findSession(cookie)).toBeNull();
  await expect(reset(token)).rejects.toMatchObject(SPENT);
  await signIn({ email: user.email, password: NEXT_PASSWORD }, HERE);
  const { lines } = await listSecurityEvents(user.userId, { limit: 10 });
  const kinds = lines.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind.includes("reset"))).toEqual([
    "password_reset",
    "reset_link_created",
  ]);
});

it("one of two concurrent uses sets the password", async () => {
  const token = await makeToken();
  const ends = await Promise.allSettled([reset(token), reset(token, `${NEXT_PASSWORD}, twice`)]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

it("a reset link expires after a day, is replaced by a newer one, and needs a known token", async () => {
  const older = await makeToken();
  const newer = await makeToken();
  const other = await makeToken((await makeUser()).userId);
  expect(await findReset(older)).toBeNull();
  for (const wrong of ["", "x", `${newer.slice(0, -1)}_`, `${newer}x`]) {
    expect(await findReset(wrong)).toBeNull();
    await expect(reset(wrong)).rejects.toMatchObject(SPENT);
  }
  now += 24 * HOUR - 1;
  expect(await findReset(newer)).not.toBeNull();
  expect(await findReset(other)).not.toBeNull();
  now += 1;
  expect(await findReset(newer)).toBeNull();
  await expect(reset(newer)).rejects.toMatchObject(SPENT);
});

it("a reset link's token is stored as a hash, and none is created for an unknown user", async () => {
  const token = await makeToken();
  const rows = await (await getDb()).select().from(passwordResets);
  expect(JSON.stringify(rows)).not.toContain(token);
  await expect(createResetLink("usr_none")).rejects.toThrow("There is no user usr_none");
});
