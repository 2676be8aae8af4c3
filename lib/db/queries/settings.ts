import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { userSettings } from "@/lib/db/schema/dashboard";

export async function selectTradingSettings(
  tx: Tx,
  userId: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await tx.select().from(userSettings).where(eq(userSettings.userId, userId));
  return row?.trading ?? null;
}

/** Sets the given fields. Other stored fields keep their values. */
export async function mergeTradingSettings(
  tx: Tx,
  userId: string,
  trading: Record<string, unknown>,
): Promise<void> {
  await tx
    .insert(userSettings)
    .values({ userId, trading })
    .onConflictDoUpdate({
      target: userSettings.userId,
      set: { trading: sql`${userSettings.trading} || excluded.trading` },
    });
}
