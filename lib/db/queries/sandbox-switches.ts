import "server-only";
import { sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { sandboxSwitches } from "@/lib/db/schema/sandbox";

type SwitchesRow = Pick<typeof sandboxSwitches.$inferSelect, "switches" | "changedAt">;

/** Selects the stored switches; null before the first change. */
export async function selectSandboxSwitches(tx: Tx): Promise<SwitchesRow | null> {
  const [row] = await tx.select().from(sandboxSwitches);
  return row ?? null;
}

/** Stores the named switches and keeps the others. */
export async function upsertSandboxSwitches(
  tx: Tx,
  { switches, changedAt }: SwitchesRow,
): Promise<void> {
  await tx
    .insert(sandboxSwitches)
    .values({ switches, changedAt })
    .onConflictDoUpdate({
      target: sandboxSwitches.isOnly,
      set: { switches: sql`${sandboxSwitches.switches} || excluded.switches`, changedAt },
    });
}
