import "server-only";
import { and, eq } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { positions } from "@/lib/db/schema/trading";
import type { Owner } from "@/lib/ledger/accounts";

/** The market of every token that an account holds or held, by token. */
export async function selectTokenMarkets(tx: Tx, owner: Owner): Promise<Map<string, string>> {
  const rows = await tx
    .select({ tokenId: positions.tokenId, marketId: positions.marketId })
    .from(positions)
    .where(and(eq(positions.userId, owner.userId), eq(positions.epoch, owner.epoch)));
  return new Map(rows.map((row) => [row.tokenId, row.marketId]));
}
