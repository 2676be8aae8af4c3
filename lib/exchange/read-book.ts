import "server-only";
import { sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { bookLevels } from "@/lib/db/schema/trading";
import {
  addUpLevels,
  type Book,
  BOOK_DEPTH,
  type BookSide,
  type RestingOrder,
  uncross,
} from "@/lib/domain/matching";
import { price, shares } from "@/lib/units";
import { loadHouseQuotes } from "@/lib/exchange/remaining-house-quotes";
import type { ExchangeMarket } from "@/lib/exchange/market-source";

/**
 * Reads the best levels of a market's public book. A level is the sum of users' orders and house
 * quotes at one price. The cost does not depend on the number of open orders.
 */
export async function readBook(tx: Tx, market: ExchangeMarket, at: number): Promise<Book> {
  const house = (await loadHouseQuotes(tx, [market], at)).get(market.id) ?? [];
  const levels = await readLevels(tx, market);
  const worst = { bid: findWorstOfFull(levels, "bid"), ask: findWorstOfFull(levels, "ask") };
  const resting = levels.filter(({ remaining }) => remaining > 0n);
  // Further orders may rest beyond the last level that was read, so house quotes there are left out.
  const visible = house.filter(({ side, price: quoted }) => {
    const last = worst[side];
    return last === null || (side === "bid" ? quoted >= last : quoted <= last);
  });
  return { orders: [], house: addUpLevels(uncross({ orders: resting, house: visible })) };
}

/** Reads the best levels of users' orders. Expired orders that are still marked open don't count. */
async function readLevels(tx: Tx, market: ExchangeMarket): Promise<RestingOrder[]> {
  const selectBest = (
    side: BookSide,
  ) => sql`(select side, price_micro, shares_micro from ${bookLevels}
    where market_id = ${market.id}::text and side = ${sql.raw(`'${side}'`)}
    order by price_micro ${sql.raw(side === "bid" ? "desc" : "asc")} limit ${BOOK_DEPTH})`;
  const rows = await selectRows<{ side: BookSide; price: string; left: string }>(
    tx,
    sql`with expired as materialized (
          select book_side, book_price_micro, sum(shares_micro - filled_shares_micro) as shares
          from orders
          where market_id = ${market.id}::text and status in ('open', 'delayed') and status = 'open'
            and (match_after is not null or expires_at is not null) and epoch > 0
            and least(match_after, expires_at) <= ${new Date(now()).toISOString()}::timestamptz
            and expires_at <= ${new Date(now()).toISOString()}::timestamptz
          group by 1, 2)
        select level.side, level.price_micro::text as price,
          (level.shares_micro - coalesce(expired.shares, 0))::text as left
        from (${selectBest("bid")} union all ${selectBest("ask")}) as level
        left join expired on expired.book_side = level.side
          and expired.book_price_micro = level.price_micro`,
  );
  return rows.map(({ side, price: at, left }) => ({
    id: `${side}/${at}`,
    ownerId: "",
    side,
    price: price(BigInt(at)),
    remaining: shares(BigInt(left)),
    sequence: 0n,
  }));
}

/** Returns the worst price of a side with BOOK_DEPTH levels; null if all of its levels were read. */
function findWorstOfFull(levels: readonly RestingOrder[], side: BookSide): bigint | null {
  const prices = levels.filter((level) => level.side === side).map((level) => level.price);
  if (prices.length < BOOK_DEPTH) return null;
  return prices.reduce((a, b) => ((side === "bid" ? a < b : a > b) ? a : b));
}
