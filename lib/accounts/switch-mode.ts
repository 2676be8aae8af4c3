import "server-only";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { setSessionMode } from "@/lib/db/queries/sessions";
import { AppError } from "@/lib/errors";
import { recordSecurityEvent } from "@/lib/auth/security-events";
import { isModeEnabled } from "@/lib/venue/modes";
import type { Mode } from "@/lib/venue/port";

/** Returns the mode that a signed-in user can switch to, or null if there is no other one. */
export async function findOtherMode(userId: string, mode: Mode): Promise<Mode | null> {
  const other = mode === "paper" ? "live" : "paper";
  if (!isModeEnabled(other)) return null;
  if (other === "paper") return other;
  return (await selectLiveWallet(await getDb(), userId)) ? other : null;
}

/**
 * Switches a session to the user's other account. Throws WALLET_NOT_FOUND if there is none. Real money
 * needs a fresh second factor.
 */
export async function switchMode(session: Session, mode: Mode, proof: Proof): Promise<void> {
  const { id: sessionId, principal } = session;
  const { userId } = principal;
  const from = mode === "paper" ? "live" : "paper";
  if ((await findOtherMode(userId, from)) !== mode) {
    throw new AppError("WALLET_NOT_FOUND", "You have no live wallet yet.");
  }
  if (mode === "live") await requireFreshFactor(session, "switch_to_live", proof);
  await withTransaction(async (tx) => {
    await setSessionMode(tx, userId, sessionId, mode);
    await recordSecurityEvent(tx, { userId, kind: "mode_switched", sessionId, detail: { mode } });
  });
}
