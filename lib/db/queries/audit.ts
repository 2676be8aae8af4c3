import "server-only";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { auditEvents } from "@/lib/db/schema/audit";
import { sessions } from "@/lib/db/schema/dashboard";
import { textIsBefore } from "@/lib/db/text";
import type { LimitScope } from "@/lib/domain/limits";

export type AuditRow = typeof auditEvents.$inferSelect;

export async function insertAuditEvent(tx: Tx, row: AuditRow): Promise<void> {
  await tx.insert(auditEvents).values(row);
}

/** Selects a user's events with the browsers of their sessions, newest first, optionally from before the event `before`. */
export function selectAuditEvents(
  tx: Tx,
  userId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ event: AuditRow; browser: { address: string; userAgent: string } | null }[]> {
  const { address, userAgent } = sessions;
  return tx
    .select({ event: auditEvents, browser: { address, userAgent } })
    .from(auditEvents)
    .leftJoin(sessions, eq(sessions.id, auditEvents.sessionId))
    .where(and(eq(auditEvents.userId, userId), textIsBefore(auditEvents.id, before)))
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
