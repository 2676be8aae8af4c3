import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { auditEvents } from "@/lib/db/schema/audit";

export type AuditRow = typeof auditEvents.$inferSelect;

export async function insertAuditEvent(tx: Tx, row: AuditRow): Promise<void> {
  await tx.insert(auditEvents).values(row);
}

/** Selects a user's events, newest first, optionally only those before the event `before`. */
export function selectAuditEvents(
  tx: Tx,
  userId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<AuditRow[]> {
  return tx
    .select()
    .from(auditEvents)
    .where(
      and(eq(auditEvents.userId, userId), before === null ? undefined : lt(auditEvents.id, before)),
    )
    .orderBy(desc(auditEvents.id))
    .limit(limit);
}
