import "server-only";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { auditEvents } from "@/lib/db/schema/audit";
import type { LimitScope } from "@/lib/domain/limits";

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

/** Selects a user's newest event of a kind about a limit scope; null if there is none. */
export async function selectLastScopeEvent(
  tx: Tx,
  userId: string,
  { kind, scope }: { kind: AuditRow["kind"]; scope: LimitScope },
): Promise<AuditRow | null> {
  const [row] = await tx
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.userId, userId),
        eq(auditEvents.kind, kind),
        sql`${auditEvents.detail} ->> 'scope' = ${scope}`,
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(1);
  return row ?? null;
}
