import "server-only";
import { randomBytes } from "node:crypto";
import { addFactor } from "@/lib/auth/second-factor/new-factor";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import { createTotp, findTotpStep } from "@/lib/auth/second-factor/totp";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import type { Session } from "@/lib/auth/session";
import { countFactorCheck } from "@/lib/auth/sign-in-limit";
import { now } from "@/lib/clock";
import { sealTotp, withTotpSecret } from "@/lib/custody/totp-secret";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  confirmTotpSecret,
  deleteTotpSecret,
  deleteTotpSetups,
  insertTotpSecret,
  selectTotpSetup,
  type TotpSecretRow,
} from "@/lib/db/queries/totp-secrets";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const SETUP_MS = 10 * 60_000;

/** The secret for an authenticator app, as an image to scan and as text to type. */
export interface TotpSetup {
  uri: string;
  /** In groups of four letters. */
  secret: string;
}

/** Starts the setup of an authenticator app, in place of an earlier setup that wasn't finished. */
export async function startTotpSetup(session: Session, proof: Proof): Promise<void> {
  await requireFreshFactor(session, "change_factors", proof);
  const owner = { id: newId("otp"), userId: session.principal.userId };
  const sealedSecret = await sealTotp(owner, randomBytes(SECRET_BYTES));
  await withTransaction(async (tx) => {
    await deleteTotpSetups(tx, owner.userId);
    await insertTotpSecret(tx, {
      ...owner,
      sessionId: session.id,
      sealedSecret,
      lastStep: null,
      createdAt: new Date(now()),
      confirmedAt: null,
    });
  });
}

/** Returns the secret that this session sets up; null if it started none in the last 10 minutes. */
export async function findTotpSetup(session: Session): Promise<TotpSetup | null> {
  const row = await findSetup(session);
  if (row === null) return null;
  return withTotpSecret(row, async (bytes) => {
    const totp = createTotp(bytes, session.email);
    const secret = totp.secret.base32.replaceAll(/(.{4})(?!$)/g, "$1 ");
    return { uri: totp.toString(), secret };
  });
}

/**
 * Finishes the setup with the app's first code, and replaces the former app.
 *
 * @returns the recovery codes with the first factor; otherwise null.
 */
export async function confirmTotpSetup(session: Session, typed: string): Promise<string[] | null> {
  const row = await findSetup(session);
  if (row === null) throw expired();
  const forgetCheck = await countFactorCheck(session, false);
  const step = await findTotpStep(row, typed.replaceAll(/[\s-]/g, ""));
  if (step === null) {
    throw new AppError(
      "VALIDATION_ERROR",
      "That code doesn\u2019t match. Check your device\u2019s clock, then enter the newest code.",
      { field: "code" },
    );
  }
  await forgetCheck();
  const { id, userId, createdAt } = row;
  return withTransaction((tx) =>
    addFactor(tx, session, {
      startedAt: createdAt,
      insert: async () => {
        await deleteTotpSecret(tx, userId);
        const confirmation = { step, at: new Date(now()) };
        if (!(await confirmTotpSecret(tx, id, confirmation))) throw expired();
        await recordSecurityEvent(tx, { userId, kind: "totp_added", sessionId: session.id });
      },
    }),
  );
}

async function findSetup({ id }: Session): Promise<TotpSecretRow | null> {
  const row = await selectTotpSetup(await getDb(), id);
  return row !== null && now() - row.createdAt.getTime() < SETUP_MS ? row : null;
}

const expired = () =>
  new AppError("VALIDATION_ERROR", "This setup has expired. Start again.", { field: "code" });
