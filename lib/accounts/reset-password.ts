import "server-only";
import { randomBytes } from "node:crypto";
import { assertGoodPassword, hashPassword } from "@/lib/auth/password";
import { hashKey } from "@/lib/auth/secret-hash";
import { countAddress } from "@/lib/auth/sign-in-limit";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  endReset,
  endUserResets,
  insertReset,
  selectReset,
} from "@/lib/db/queries/password-resets";
import { endSessionRows } from "@/lib/db/queries/sessions";
import { selectAccount, updatePassword } from "@/lib/db/queries/users";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { recordSecurityEvent } from "@/lib/auth/security-events";

const TOKEN_BYTES = 32;
const LIFETIME_MS = 24 * 3_600_000;
const TOKEN = /^[\w-]{43}$/;

const hashToken = (token: string) => hashKey(`password reset ${token}`);

/**
 * Creates a link with which a user can set a new password. The operator passes it on. It works once,
 * expires after 24 hours and replaces earlier links.
 */
export async function createResetLink(userId: string): Promise<{ link: string; expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const createdAt = new Date(now());
  const expiresAt = new Date(now() + LIFETIME_MS);
  await withTransaction(async (tx) => {
    if (!(await selectAccount(tx, userId))) {
      throw new AppError("WALLET_NOT_FOUND", `There is no user ${userId}.`);
    }
    await endUserResets(tx, userId, createdAt);
    const tokenHash = hashToken(token);
    await insertReset(tx, { tokenHash, userId, createdAt, expiresAt, endedAt: null });
    await recordSecurityEvent(tx, { userId, kind: "reset_link_created" });
  });
  return { link: `${env().NEXTAUTH_URL}/reset-password?token=${token}`, expiresAt };
}

/** Returns the user of a link's token; null if the token is unknown, used or expired. */
export async function findReset(token: string): Promise<{ userId: string; email: string } | null> {
  if (!TOKEN.test(token)) return null;
  const found = await selectReset(await getDb(), hashToken(token));
  if (!found || found.reset.endedAt !== null || found.reset.expiresAt.getTime() <= now())
    return null;
  return { userId: found.reset.userId, email: found.email };
}

/** Sets a new password with a link's token. Uses up the token and ends all sessions of the user. */
export async function resetPassword(
  token: string,
  password: string,
  address: string,
): Promise<void> {
  await countAddress(address);
  const found = await findReset(token);
  if (!found) throw spent();
  const { userId, email } = found;
  assertGoodPassword(password, email);
  const passwordHash = await hashPassword(password);
  await withTransaction(async (tx) => {
    const at = new Date(now());
    if (!(await endReset(tx, hashToken(token), at))) throw spent();
    await updatePassword(tx, userId, passwordHash);
    await endSessionRows(tx, userId, { keepId: null, at });
    await recordSecurityEvent(tx, {
      userId,
      kind: "password_reset",
      detail: { address: address.slice(0, 100) },
    });
  });
}

const spent = () =>
  new AppError("VALIDATION_ERROR", "This link has expired or was already used. Ask for a new one.");
