import "server-only";
import { getDb } from "@/lib/db/client";
import { type AuditRow, insertAuditEvent, selectAuditEvents } from "@/lib/db/queries/audit";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { newId } from "@/lib/ids";

/** A line of the security log. */
export interface AuditEvent extends Pick<AuditRow, "userId" | "kind"> {
  keyId?: string;
  /** The session that the change was made in, if any. */
  sessionId?: string | undefined;
  detail?: AuditRow["detail"];
}

/** Records a change of the access to an account, in the change's transaction where it has one. */
export async function recordSecurityEvent(tx: Tx, event: AuditEvent): Promise<void> {
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

/** The columns of an event that the account's owner sees. */
type AuditLine = Pick<AuditRow, "id" | "kind" | "keyId" | "sessionId" | "detail"> & {
  at: string;
};

interface AuditPage {
  lines: AuditLine[];
  /** The id to pass as `before` for the next page; null on the last page. */
  older: string | null;
}

/** Returns a page of the user's security events, newest first. */
export async function listSecurityEvents(
  userId: string,
  { before = null, limit }: { before?: string | null; limit: number },
): Promise<AuditPage> {
  const rows = await selectAuditEvents(await getDb(), userId, { before, limit: limit + 1 });
  const lines = rows.slice(0, limit).map(({ event, browser }) => {
    const { id, kind, keyId, sessionId, detail, createdAt } = event;
    const source = browser && { address: browser.address, browser: browser.userAgent };
    return {
      id,
      kind,
      keyId,
      sessionId,
      detail: { ...source, ...detail },
      at: createdAt.toISOString(),
    };
  });
  return { lines, older: rows.length > limit ? (lines.at(-1)?.id ?? null) : null };
}
