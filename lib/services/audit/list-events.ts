import "server-only";
import { getDb } from "@/lib/db/client";
import { type AuditRow, selectAuditEvents } from "@/lib/db/queries/audit";

/** What a user may read of an event of the own trail. */
type AuditLine = Pick<AuditRow, "id" | "kind" | "keyId" | "sessionId" | "detail"> & {
  at: string;
};

interface AuditPage {
  lines: AuditLine[];
  /** Where the older ones begin; null when there are none. */
  older: string | null;
}

/** What was done to the access to the user's account, newest first. */
export async function listEvents(
  userId: string,
  { before = null, limit }: { before?: string | null; limit: number },
): Promise<AuditPage> {
  const rows = await selectAuditEvents(await getDb(), userId, { before, limit: limit + 1 });
  const lines = rows.slice(0, limit).map(({ id, kind, keyId, sessionId, detail, createdAt }) => ({
    id,
    kind,
    keyId,
    sessionId,
    detail,
    at: createdAt.toISOString(),
  }));
  return { lines, older: rows.length > limit ? (lines.at(-1)?.id ?? null) : null };
}
