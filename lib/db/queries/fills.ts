import "server-only";
import { and, desc, eq, lt, or } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { type AccountRef, ofAccount } from "@/lib/db/queries/mode";
import { isNotReversed } from "@/lib/db/queries/reversed";
import { isInMarket, textEquals } from "@/lib/db/text";
import type { FillRow } from "@/lib/db/rows";
import { fills } from "@/lib/db/schema/trading";

export interface FillFilter {
  account: AccountRef;
  orderId?: string | undefined;
  marketId?: string | undefined;
  /** Id or slug. */
  market?: string | undefined;
}

/** Selects one page of an account's fills, newest first, starting after `after`. */
export function selectFills(
  tx: Tx,
  filter: FillFilter,
  after: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<FillRow[]> {
  const older =
    after &&
    or(
      lt(fills.createdAt, after.createdAt),
      and(eq(fills.createdAt, after.createdAt), lt(fills.id, after.id)),
    );
  return tx
    .select()
    .from(fills)
    .where(
      and(
        ofAccount(fills, filter.account),
        textEquals(fills.orderId, filter.orderId),
        textEquals(fills.marketId, filter.marketId),
        isInMarket(fills.marketId, filter.market),
        isNotReversed(),
        older ?? undefined,
      ),
    )
    .orderBy(desc(fills.createdAt), desc(fills.id))
    .limit(limit);
}
