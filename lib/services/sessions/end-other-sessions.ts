import "server-only";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { endOtherSessionRows } from "@/lib/db/queries/sessions";
import { noteEvent } from "@/lib/services/audit/note-event";
import { assertNotShared } from "@/lib/services/users/shared-account";

/** Signs the user out everywhere but in the browser that asks. */
export async function endOtherSessions({ id, principal }: Session): Promise<void> {
  await assertNotShared(principal.userId);
  const { userId } = principal;
  await withTransaction(async (tx) => {
    await endOtherSessionRows(tx, userId, id, new Date(now()));
    await noteEvent(tx, { userId, kind: "other_sessions_ended", sessionId: id });
  });
}
