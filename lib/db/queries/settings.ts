import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { userSettings } from "@/lib/db/schema/dashboard";
import type { NotificationKind } from "@/lib/domain/notifications";

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

/** Returns the kinds of notifications that the user has switched off in the dashboard. */
export async function selectHiddenKinds(tx: Tx, userId: string): Promise<NotificationKind[]> {
  const [row] = await tx
    .select({ hiddenKinds: userSettings.hiddenKinds })
    .from(userSettings)
    .where(eq(userSettings.userId, userId));
  return row?.hiddenKinds ?? [];
}

export async function upsertHiddenKinds(
  tx: Tx,
  userId: string,
  hiddenKinds: NotificationKind[],
): Promise<void> {
  await tx
    .insert(userSettings)
    .values({ userId, trading: {}, hiddenKinds })
    .onConflictDoUpdate({ target: userSettings.userId, set: { hiddenKinds } });
}
