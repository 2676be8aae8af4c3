import "server-only";
import type { Session } from "@/lib/auth/session";
import { endSession } from "@/lib/services/sessions/end-session";
import { assertNotShared } from "@/lib/services/users/shared-account";

/** Signs another browser of the user out. */
export async function endChosenSession(
  { id, principal }: Session,
  sessionId: string,
): Promise<void> {
  await assertNotShared(principal.userId);
  await endSession(principal.userId, sessionId, id);
}
