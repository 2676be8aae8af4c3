import "server-only";
import { and, desc, eq, gt, inArray, lt, type SQL } from "drizzle-orm";
import { insertRows } from "@/lib/db/batch";
import type { Tx } from "@/lib/db/database";
import { selectKeyIds } from "@/lib/db/queries/sandbox-orders";
import { textEquals } from "@/lib/db/text";
import type { OrderRow, SettlementRow } from "@/lib/db/rows";
import { orders, simulatedSettlements } from "@/lib/db/schema/trading";
import { NO_SHARES } from "@/lib/units";

export const buildSettlementInsert = (row: SettlementRow): SQL =>
  insertRows(simulatedSettlements, [row]);

/** Selects the simulated settlements of orders, by order id. */
export async function selectSettlements(
  tx: Tx,
  orderIds: readonly string[],
): Promise<Map<string, SettlementRow>> {
  if (orderIds.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(simulatedSettlements)
    .where(inArray(simulatedSettlements.orderId, [...orderIds]));
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** An order whose trade failed to settle. It has no fills. */
export interface FailedTradeRow {
  order: OrderRow;
  settlement: SettlementRow;
}

export interface FailedTradesFilter {
  userIds: readonly string[];
  /** The address whose API keys placed the orders. */
  keyOwner: string;
  orderId?: string | undefined;
  marketId?: string | undefined;
  tokenId?: string | undefined;
  after?: Date | undefined;
  before?: Date | undefined;
}

/** Selects the trades of several accounts that failed to settle, newest first. */
export async function selectFailedTrades(
  tx: Tx,
  filter: FailedTradesFilter,
  limit: number,
): Promise<FailedTradeRow[]> {
  return tx
    .select({ order: orders, settlement: simulatedSettlements })
    .from(simulatedSettlements)
    .innerJoin(orders, eq(orders.id, simulatedSettlements.orderId))
    .where(
      and(
        inArray(simulatedSettlements.userId, [...filter.userIds]),
        gt(simulatedSettlements.shares, NO_SHARES),
        inArray(orders.keyId, selectKeyIds(tx, filter.keyOwner)),
        textEquals(simulatedSettlements.orderId, filter.orderId),
        textEquals(orders.marketId, filter.marketId),
        textEquals(orders.tokenId, filter.tokenId),
        filter.after && gt(simulatedSettlements.createdAt, filter.after),
        filter.before && lt(simulatedSettlements.createdAt, filter.before),
      ),
    )
    .orderBy(desc(simulatedSettlements.createdAt), desc(simulatedSettlements.orderId))
    .limit(limit);
}
