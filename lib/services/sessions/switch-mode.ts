import "server-only";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import { setSessionMode } from "@/lib/db/queries/sessions";
import { AppError } from "@/lib/errors";
import { noteEvent } from "@/lib/services/audit/note-event";
import { isOffered } from "@/lib/venue/modes";
import type { Mode } from "@/lib/venue/port";

/** The mode that a signed-in user may switch to; null when there is only the present one. */
export async function findOtherMode(userId: string, mode: Mode): Promise<Mode | null> {
  const other = mode === "paper" ? "live" : "paper";
  if (!isOffered(other)) return null;
  if (other === "paper") return other;
  return (await selectLiveWallet(await getDb(), userId)) ? other : null;
}

/** Turns one browser to the user's other account. Throws when there is none. */
export async function switchMode(userId: string, sessionId: string, mode: Mode): Promise<void> {
  const from = mode === "paper" ? "live" : "paper";
  if ((await findOtherMode(userId, from)) !== mode) {
    throw new AppError("WALLET_NOT_FOUND", "You have no live wallet yet.");
  }
  await withTransaction(async (tx) => {
    await setSessionMode(tx, userId, sessionId, mode);
    await noteEvent(tx, { userId, kind: "mode_switched", sessionId, detail: { mode } });
  });
}
