import "server-only";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { endOtherSessionRows } from "@/lib/db/queries/sessions";

/** Signs the user out everywhere but in the browser that asks. */
export async function endOtherSessions({ id, principal }: Session): Promise<void> {
  await endOtherSessionRows(await getDb(), principal.userId, id, new Date(now()));
}
