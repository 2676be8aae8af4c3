import "server-only";
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

/** Switches one session to the user's other account. Throws WALLET_NOT_FOUND if there is none. */
export async function switchMode(userId: string, sessionId: string, mode: Mode): Promise<void> {
  const from = mode === "paper" ? "live" : "paper";
  if ((await findOtherMode(userId, from)) !== mode) {
    throw new AppError("WALLET_NOT_FOUND", "You have no live wallet yet.");
  }
  await withTransaction(async (tx) => {
    await setSessionMode(tx, userId, sessionId, mode);
    await recordSecurityEvent(tx, { userId, kind: "mode_switched", sessionId, detail: { mode } });
  });
}
