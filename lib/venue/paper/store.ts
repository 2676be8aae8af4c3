import "server-only";
import { and, asc, eq, gt, gte, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { now } from "@/lib/clock";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { toMarketRow } from "@/lib/db/queries/market-row";
import { ofMode } from "@/lib/db/queries/mode";
import type { MarketRow, OrderRow } from "@/lib/db/rows";
import { houseTaken, markets, orders } from "@/lib/db/schema/trading";
import {
  bestPrice,
  type Book,
  type BookSide,
  type HouseLevel,
  sweep,
  uncross,
} from "@/lib/domain/matching";
import type { BestPrices } from "@/lib/domain/mark-price";
import { assert } from "@/lib/errors";
import { NO_SHARES, ONE, type Price, price, type Shares, subtract } from "@/lib/units";
import { houseLadder, liquidityEpoch } from "@/lib/venue/paper/liquidity/simulated";
import type { PaperTime } from "@/lib/venue/paper/clock";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { toResting } from "@/lib/venue/paper/round";
import { DEFAULT_PRICE_PROTECTION } from "@/lib/domain/order-terms";

/** The market's state that a transaction has locked. */
export interface LoadedMarket {
  book: Book;
  rows: OrderRow[];
  /** Delayed orders whose time has come, oldest first. */
  due: OrderRow[];
  /** Orders whose time is over. They are in no book. */
  expired: OrderRow[];
}

/** Locks the market's row, writing it first if nobody traded the market before. */
export async function lockMarket(tx: Tx, market: PaperMarket): Promise<MarketRow> {
  const found = await selectForUpdate(tx, market.id);
  if (found) return found;
  await tx.insert(markets).values(toRow(market)).onConflictDoNothing();
  const created = await selectForUpdate(tx, market.id);
  assert(created, "a market row was just written");
  return created;
}

/** How far into the book a taker may go; a null limit is best price and protection. */
export interface Reach {
  side: BookSide;
  limit: Price | null;
}

/**
 * Reads what can trade now: house quotes, every resting order that they or the taker can meet,
 * and the delayed orders. When something is due before the taker, which may use up the quotes that
 * its reach was measured by, the whole book is read.
 */
export async function loadMarket(
  tx: Tx,
  market: PaperMarket,
  time: PaperTime,
  taker: Reach | null,
): Promise<LoadedMarket> {
  const house = await loadHouse(tx, market, time.market);
  const at = new Date(time.now);
  const reach = or(inReach(house, taker), lte(orders.expiresAt, at));
  let rows = await selectLive(tx, market, reach);
  if (movesFirst(rows, house, time)) rows = await selectLive(tx, market, sql`true`);
  const expired = rows.filter((row) => isExpired(row, time.now));
  const standing = rows.filter((row) => !isExpired(row, time.now));
  const resting = standing.filter((row) => row.status === "open");
  const due = standing.filter((row) => isDue(row, time.now));
  return { book: { orders: resting.map(toResting), house }, rows, due, expired };
}

/** Reads every live order of a market, with no quotes: what a closed market still has to end. */
export async function loadWholeMarket(tx: Tx, market: PaperMarket): Promise<LoadedMarket> {
  const rows = await selectLive(tx, market, sql`true`);
  const resting = rows.filter((row) => row.status === "open");
  return { book: { orders: resting.map(toResting), house: [] }, rows, due: [], expired: [] };
}

/** Reads the whole book of a market for display, as others may see it. */
export async function readBook(tx: Tx, market: PaperMarket, at: number): Promise<Book> {
  const house = await loadHouse(tx, market, at);
  const rows = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.marketId, market.id), eq(orders.status, "open"), isPaper(), isStanding()));
  return uncross({ orders: rows.map(toResting), house });
}

interface BestResting {
  market_id: string;
  bid: string | null;
  ask: string | null;
}

/** The best resting prices of many markets, from one query, by market id. */
export async function readBestResting(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, BestPrices>> {
  if (ids.length === 0) return new Map();
  const rows = await selectRows<BestResting>(
    tx,
    sql`select market_id,
          max(book_price_micro) filter (where book_side = 'bid') as bid,
          min(book_price_micro) filter (where book_side = 'ask') as ask
        from orders
        where status = 'open' and ${isPaper()} and ${isStanding()} and ${inArray(orders.marketId, [...ids])}
        group by market_id`,
  );
  return new Map(
    rows.map((row) => [row.market_id, { bid: toPrice(row.bid), ask: toPrice(row.ask) }]),
  );
}

/** House quotes of many markets less what was taken from them, by market id. */
export async function loadHouses(
  tx: Tx,
  list: readonly PaperMarket[],
  at: number,
): Promise<Map<string, HouseLevel[]>> {
  const ids = list.map((market) => market.id);
  const rows =
    ids.length === 0
      ? []
      : await tx
          .select()
          .from(houseTaken)
          .where(and(inArray(houseTaken.marketId, ids), eq(houseTaken.epoch, liquidityEpoch(at))));
  const taken = new Map(rows.map((row) => [`${row.marketId}/${row.side}/${row.price}`, row.taken]));
  return new Map(
    list.map((market) => [
      market.id,
      houseLadder(market, at)
        .map((level) => less(level, taken.get(`${market.id}/${level.side}/${level.price}`)))
        .filter((level) => level.size > 0n),
    ]),
  );
}

async function loadHouse(tx: Tx, market: PaperMarket, at: number): Promise<HouseLevel[]> {
  return (await loadHouses(tx, [market], at)).get(market.id) ?? [];
}

async function selectForUpdate(tx: Tx, id: string): Promise<MarketRow | null> {
  const [row] = await tx.select().from(markets).where(eq(markets.id, id)).for("update");
  return row ?? null;
}

function selectLive(tx: Tx, market: PaperMarket, condition: SQL | undefined): Promise<OrderRow[]> {
  return tx
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.marketId, market.id),
        inArray(orders.status, ["open", "delayed"]),
        isPaper(),
        condition,
      ),
    )
    .orderBy(asc(orders.sequence));
}

function inReach(house: readonly HouseLevel[], taker: Reach | null): SQL | undefined {
  const quotes: Book = { orders: [], house };
  const houseBid = bestPrice(quotes, "bid");
  const houseAsk = bestPrice(quotes, "ask");
  const lowestBid = [houseAsk, taker?.side === "ask" ? (taker.limit ?? floorOf(houseBid)) : null];
  const highestAsk = [
    houseBid,
    taker?.side === "bid" ? (taker.limit ?? ceilingOf(houseAsk)) : null,
  ];
  const bids = lowestBid.filter((at) => at !== null).map((at) => gte(orders.bookPrice, at));
  const asks = highestAsk.filter((at) => at !== null).map((at) => lte(orders.bookPrice, at));
  return or(
    and(eq(orders.bookSide, "bid"), or(...bids, sql`false`)),
    and(eq(orders.bookSide, "ask"), or(...asks, sql`false`)),
    eq(orders.status, "delayed"),
  );
}

/** The lowest bid that a protected sell can meet, seen from the house's best. */
function floorOf(houseBid: Price | null): Price {
  return price(houseBid === null ? 0n : houseBid - DEFAULT_PRICE_PROTECTION);
}

function ceilingOf(houseAsk: Price | null): Price {
  return houseAsk === null ? ONE : price(houseAsk + DEFAULT_PRICE_PROTECTION);
}

/** Whether delayed orders or the house's quotes will trade before anybody else does. */
function movesFirst(
  rows: readonly OrderRow[],
  house: readonly HouseLevel[],
  time: PaperTime,
): boolean {
  if (rows.some((row) => isDue(row, time.now))) return true;
  const resting = rows
    .filter((row) => row.status === "open" && !isExpired(row, time.now))
    .map(toResting);
  return sweep({ orders: resting, house }).length > 0;
}

/** Orders of this exchange: a live order of the same market stands in another book. */
const isPaper = () => ofMode(orders.epoch, "paper");

/** Orders whose time is not over, although nobody may have noticed yet that another's is. */
function isStanding(): SQL | undefined {
  return or(isNull(orders.expiresAt), gt(orders.expiresAt, new Date(now())));
}

function isExpired(row: OrderRow, at: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() <= at;
}

function isDue(row: OrderRow, at: number): boolean {
  return row.status === "delayed" && row.matchAfter !== null && row.matchAfter.getTime() <= at;
}

function less(level: HouseLevel, taken: Shares | undefined): HouseLevel {
  if (taken === undefined) return level;
  return { ...level, size: taken >= level.size ? NO_SHARES : subtract(level.size, taken) };
}

function toPrice(text: string | null): Price | null {
  return text === null ? null : (BigInt(text) as Price);
}

function toRow(market: PaperMarket): typeof markets.$inferInsert {
  return {
    ...toMarketRow(market),
    templateId: market.event.id,
    templateMarketId: market.template.id,
    instance: market.instance,
  };
}
