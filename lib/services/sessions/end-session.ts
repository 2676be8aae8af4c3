import "server-only";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { endSessionRow } from "@/lib/db/queries/sessions";
import { noteEvent } from "@/lib/services/audit/note-event";

/**
 * Ends a session of the user: its cookie stops working with the next request.
 *
 * @param by the session that ends it, when that is another one.
 */
export async function endSession(userId: string, sessionId: string, by?: string): Promise<void> {
  await withTransaction(async (tx) => {
    if (!(await endSessionRow(tx, userId, sessionId, new Date(now())))) return;
    if (by === undefined) await noteEvent(tx, { userId, kind: "signed_out", sessionId });
    else {
      const detail = { endedSession: sessionId };
      await noteEvent(tx, { userId, kind: "session_ended", sessionId: by, detail });
    }
  });
}
