import "server-only";
import { eq, gt, type SQL, sql } from "drizzle-orm";
import { isIn } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { marketVolumes } from "@/lib/db/schema/trading";
import { type Usdc, usdc } from "@/lib/units";

const total = sql<string>`coalesce(sum(${marketVolumes.volume}), 0)::text`;

/** Sums what traded in a market on the paper exchange: the values of its trades, without fees. */
export async function selectVolume(tx: Tx, marketId: string): Promise<Usdc> {
  const rows = await tx
    .select({ total })
    .from(marketVolumes)
    .where(eq(marketVolumes.marketId, marketId));
  return usdc(BigInt(rows[0]?.total ?? 0));
}

/** Sums the trades of these markets on the paper exchange so far, by market id. */
export function selectVolumes(tx: Tx, marketIds: readonly string[]): Promise<Map<string, Usdc>> {
  return sumBy(tx, isIn(sql`${marketVolumes.marketId}`, marketIds));
}

/** Sums what traded on the paper exchange after `since`, to the hour, by market id. */
export function selectVolumesSince(tx: Tx, since: Date): Promise<Map<string, Usdc>> {
  return sumBy(tx, gt(marketVolumes.hour, since));
}

async function sumBy(tx: Tx, condition: SQL): Promise<Map<string, Usdc>> {
  const rows = await tx
    .select({ marketId: marketVolumes.marketId, total })
    .from(marketVolumes)
    .where(condition)
    .groupBy(marketVolumes.marketId);
  return new Map(rows.map(({ marketId, total: text }) => [marketId, usdc(BigInt(text))]));
}
