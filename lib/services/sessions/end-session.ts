import "server-only";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { endSessionRow } from "@/lib/db/queries/sessions";

/** Ends a session of the user: its cookie stops working with the next request. */
export async function endSession(userId: string, sessionId: string): Promise<void> {
  await endSessionRow(await getDb(), userId, sessionId, new Date(now()));
}
