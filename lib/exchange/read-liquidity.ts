import "server-only";
import { inArray, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { bookLevels } from "@/lib/db/schema/trading";
import { getTakerPrice } from "@/lib/domain/matching";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { loadHouseQuotes } from "@/lib/exchange/remaining-house-quotes";
import { add, notional, NO_USDC, sum, type Usdc, usdc } from "@/lib/units";

/**
 * Sums what users' orders and house quotes in the books of many markets would pay, by market id. An
 * offer to sell one outcome is a bid for the other one, so the sum is the same for both outcomes.
 * Markets that take no orders are left out.
 */
export async function readLiquidity(
  tx: Tx,
  list: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, Usdc>> {
  const open = list.filter((market) => getMarketData(market).getState(at).status === "open");
  const [house, resting] = await Promise.all([
    loadHouseQuotes(tx, open, at),
    sumRestingOrders(
      tx,
      open.map(({ id }) => id),
    ),
  ]);
  return new Map(
    open.map(({ id }) => {
      const quoted = (house.get(id) ?? []).map(({ side, price, size }) =>
        notional(size, getTakerPrice(side, price), "down"),
      );
      return [id, add(sum(quoted), resting.get(id) ?? NO_USDC)];
    }),
  );
}

/** Sums what users' open orders would pay, by market id. */
async function sumRestingOrders(tx: Tx, ids: readonly string[]): Promise<Map<string, Usdc>> {
  if (ids.length === 0) return new Map();
  const { marketId, side, price, shares } = bookLevels;
  const paid = sql`case ${side} when 'bid' then ${price} else 1000000 - ${price} end`;
  const rows = await tx
    .select({
      marketId,
      total: sql<string>`sum(div(${shares}::numeric * (${paid}), 1000000))::text`,
    })
    .from(bookLevels)
    .where(inArray(marketId, [...ids]))
    .groupBy(marketId);
  return new Map(rows.map((row) => [row.marketId, usdc(BigInt(row.total))]));
}
