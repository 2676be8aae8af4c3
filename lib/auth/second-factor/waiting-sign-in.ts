import "server-only";
import type { Prover } from "@/lib/auth/second-factor/check-passkey";
import { hasFactor, readFactorKinds } from "@/lib/auth/has-factor";
import { type Proof, proveFactor } from "@/lib/auth/second-factor/prove-factor";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { readSessionId, sealSession } from "@/lib/auth/session";
import { type Browser, type StartedSession, WAITING_MS } from "@/lib/auth/start-session";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { insertSession } from "@/lib/db/queries/sessions";
import { selectWaitingSignIn, takeWaitingSignIn } from "@/lib/db/queries/waiting-sign-ins";
import type { ProofNeed } from "@/lib/domain/second-factor";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";

/** Returns the sign-in of a cookie that waits for its second factor, or null. */
export async function findWaitingSignIn(cookie: string | undefined): Promise<Prover | null> {
  const id = await readSessionId(cookie);
  const found = id === null ? null : await selectWaitingSignIn(await getDb(), id);
  if (found === null || now() - found.signIn.createdAt.getTime() >= WAITING_MS) return null;
  return { id: found.signIn.id, userId: found.signIn.userId, email: found.email };
}

/** Returns what a waiting sign-in has to ask for. */
export async function findSignInNeed({ userId }: Prover): Promise<ProofNeed> {
  return { kind: "factor", ...(await readFactorKinds(await getDb(), userId)) };
}

/** Starts the session of a sign-in once its second factor is proven, which is then fresh. */
export async function completeSignIn(
  waiting: Prover,
  proof: Proof,
  browser: Browser,
): Promise<StartedSession> {
  const { userId } = waiting;
  await proveFactor(waiting, proof);
  const sessionId = newId("ses");
  await withTransaction(async (tx) => {
    if ((await takeWaitingSignIn(tx, waiting.id)) === null || !(await hasFactor(tx, userId))) {
      throw new AppError("SESSION_ENDED", "This sign-in has expired. Sign in again.");
    }
    const at = new Date(now());
    const userAgent = browser.userAgent.slice(0, 300);
    const address = browser.address.slice(0, 100);
    await insertSession(tx, {
      id: sessionId,
      userId,
      userAgent,
      address,
      createdAt: at,
      lastSeenAt: at,
      factorAt: at,
    });
    const detail = { address, browser: userAgent };
    await recordSecurityEvent(tx, { userId, kind: "signed_in", sessionId, detail });
  });
  return { userId, sessionId, cookie: await sealSession(sessionId, userId), isWaiting: false };
}
