import "server-only";
import { confirmPassword } from "@/lib/auth/confirm-password";
import { assertNotShared, isSharedAccount } from "@/lib/auth/demo-file";
import { hasFactor, readFactorKinds } from "@/lib/auth/has-factor";
import { type Proof, proveFactor } from "@/lib/auth/second-factor/prove-factor";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { selectSession, setFactorTime } from "@/lib/db/queries/sessions";
import { FACTOR_FRESH_MS, type GuardedAction, type ProofNeed } from "@/lib/domain/second-factor";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The actions that are open to visitors of the shared demo account. They lock nobody out and cost no money. */
const OPEN_TO_VISITORS: readonly GuardedAction[] = [
  "raise_limit",
  "thaw",
  "approve",
  "webhook_secret",
  "webhook_address",
];

/** The reason why an action was let through. */
export type Admission = "shared account" | "password" | "factor";

/**
 * Lets a guarded action of a signed-in browser through, or throws. Every use case behind a
 * `GuardedAction` calls it first, before anything changes.
 *
 * - With a second factor: this session proved it in the last 5 minutes, or `proof` has it now. A right
 *   proof is good for 5 minutes in this session.
 * - Without one: `proof` has the password, each time. If the operator requires a second factor, only
 *   `change_factors` goes through.
 * - For the shared demo account: what can't harm other visitors goes through, the rest throws.
 *
 * Throws SECOND_FACTOR_REQUIRED if the second factor is stale or missing, VALIDATION_ERROR for a wrong
 * proof (field "current" for the password, "code" or "passkey" for the second factor), RATE_LIMITED or
 * SESSION_ENDED. `ProofFields` asks for the proof in a form, and `readProof` reads it.
 */
export async function requireFreshFactor(
  session: Session,
  action: GuardedAction,
  proof: Proof,
): Promise<Admission> {
  const { userId } = session.principal;
  if (await isSharedAccount(userId)) {
    if (!OPEN_TO_VISITORS.includes(action)) await assertNotShared(userId);
    return "shared account";
  }
  const db = await getDb();
  if (!(await hasFactor(db, userId))) {
    assertOptional(action);
    await confirmPassword(session, proof.password ?? "", proof.address);
    return "password";
  }
  if (await isFresh(session)) return "factor";
  await proveFactor({ id: session.id, userId, email: session.email }, proof);
  if (!(await setFactorTime(db, session.id, new Date(now())))) throw ended();
  return "factor";
}

/** Returns what a form has to ask for before a guarded action. */
export async function findProofNeed(session: Session, action: GuardedAction): Promise<ProofNeed> {
  const { userId } = session.principal;
  if (await isSharedAccount(userId)) return { kind: "nothing" };
  const { hasPasskeys, hasApp } = await readFactorKinds(await getDb(), userId);
  if (!hasPasskeys && !hasApp) return { kind: isRefused(action) ? "missing" : "password" };
  if (await isFresh(session)) return { kind: "nothing" };
  return { kind: "factor", hasPasskeys, hasApp };
}

/** Returns whether a session proved its second factor in the last 5 minutes. */
async function isFresh({ id }: Session): Promise<boolean> {
  const found = await selectSession(await getDb(), id);
  if (!found || found.session.endedAt !== null) throw ended();
  const { factorAt } = found.session;
  return factorAt !== null && now() - factorAt.getTime() < FACTOR_FRESH_MS;
}

const isRefused = (action: GuardedAction) =>
  env().REQUIRE_SECOND_FACTOR && action !== "change_factors";

function assertOptional(action: GuardedAction): void {
  if (!isRefused(action)) return;
  throw new AppError(
    "SECOND_FACTOR_REQUIRED",
    "The operator requires a second factor for this. Set one up under Settings, Security.",
  );
}

const ended = () => new AppError("SESSION_ENDED", "Your session has ended. Sign in again.");
