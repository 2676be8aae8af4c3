import "server-only";
import { eq, gt, sql } from "drizzle-orm";
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

/** Sums what traded on the paper exchange in each market so far, by market id. */
export async function selectVolumes(tx: Tx): Promise<Map<string, Usdc>> {
  return selectVolumesSince(tx, new Date(0));
}

/** Sums what traded on the paper exchange after `since`, to the hour, by market id. */
export async function selectVolumesSince(tx: Tx, since: Date): Promise<Map<string, Usdc>> {
  const rows = await tx
    .select({ marketId: marketVolumes.marketId, total })
    .from(marketVolumes)
    .where(gt(marketVolumes.hour, since))
    .groupBy(marketVolumes.marketId);
  return new Map(rows.map(({ marketId, total: text }) => [marketId, usdc(BigInt(text))]));
}
