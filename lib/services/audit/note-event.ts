import "server-only";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { type AuditRow, insertAuditEvent } from "@/lib/db/queries/audit";
import { newId } from "@/lib/ids";

interface AuditEvent extends Pick<AuditRow, "userId" | "kind"> {
  keyId?: string;
  /** The session it was done in, if it was done in one. */
  sessionId?: string | undefined;
  detail?: AuditRow["detail"];
}

/** Writes down what was done to the access to an account, with the change itself or right after it. */
export async function noteEvent(tx: Tx, event: AuditEvent): Promise<void> {
  const { userId, kind, keyId = null, sessionId = null, detail = {} } = event;
  const createdAt = new Date(now());
  await insertAuditEvent(tx, {
    id: newId("aud"),
    userId,
    kind,
    keyId,
    sessionId,
    detail,
    createdAt,
  });
}
