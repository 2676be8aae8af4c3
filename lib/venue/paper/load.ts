import "server-only";
import { inArray, type SQL, sql } from "drizzle-orm";
import { columnList, decodeRow, textArray } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { ofMode } from "@/lib/db/queries/mode";
import type { OrderRow } from "@/lib/db/rows";
import { orders } from "@/lib/db/schema/trading";
import {
  bestPrice,
  type Book,
  type BookSide,
  type HouseLevel,
  oppositeSide,
  sweep,
} from "@/lib/domain/matching";
import { LIVE_STATUSES } from "@/lib/domain/order-status";
import type { Holding } from "@/lib/domain/position";
import { AppError } from "@/lib/errors";
import type { Owner } from "@/lib/ledger/accounts";
import { larger, ONE, type Price, price, shares, usdc } from "@/lib/units";
import type { PaperTime } from "@/lib/venue/paper/clock";
import { toResting } from "@/lib/venue/paper/round";
import { originOf } from "@/lib/venue/paper/source/choose";
import { less } from "@/lib/venue/paper/source/houses";
import type { ExchangeMarket, Ladder } from "@/lib/venue/paper/source/port";

/** The market's state that a transaction has locked. */
export interface LoadedMarket {
  book: Book;
  rows: OrderRow[];
  /** Delayed orders whose time has come, oldest first. */
  due: OrderRow[];
  /** Orders whose time is over. They are in no book. */
  expired: OrderRow[];
  /** The last price that was read of a side on which more orders may rest; null for none. */
  readTo: Record<BookSide, Price | null>;
  /** Those of the orders asked for by id that there are. */
  wanted: OrderRow[];
  /** What the owner asked for holds; null for nothing. */
  holding: Holding | null;
}

/** What a transaction needs of its market. */
export interface Wish {
  /** Whom a new order may meet. Everybody else only meets the house. */
  taker?: Reach;
  /** How many orders of a side are read at most, the best first. All of them without it. */
  depth?: number;
  /** A user's orders, whatever became of them. */
  wanted?: { userId: string; ids: readonly string[] };
  holding?: { owner: Owner; tokenId: string };
}

/** How far into the book a taker may go; a null limit is best price and protection. */
export interface Reach {
  side: BookSide;
  limit: Price | null;
}

/**
 * Reads, in one statement, what can trade now: house quotes, the resting orders that they or the
 * taker can meet, and what is due. When something moves before the taker, which may use up the
 * quotes that its reach was measured by, the whole book is read.
 */
export async function loadMarket(
  tx: Tx,
  market: ExchangeMarket,
  time: PaperTime,
  wish: Wish,
): Promise<LoadedMarket> {
  const ladder = originOf(market).getLadder(time.market);
  if (ladder === null && wish.taker) throw bookUnknown();
  const query = { market, time, wish, ladder };
  const found = await read(tx, query, withinReach(query));
  const reached = toMarket(found, query);
  if (!movesFirst(reached, houseOf(found, ladder))) return reached;
  return toMarket(await read(tx, query, [liveOrders(market)]), { ...query, wish: {} });
}

/** Reads every live order of a market, with no quotes: what a closed market still has to end. */
export async function loadWholeMarket(
  tx: Tx,
  market: ExchangeMarket,
  time: PaperTime,
  wish: Pick<Wish, "wanted">,
): Promise<LoadedMarket> {
  const query = { market, time, wish, ladder: null };
  const loaded = toMarket(await read(tx, query, [liveOrders(market)]), query);
  return { ...loaded, due: [], expired: [] };
}

interface Query {
  market: ExchangeMarket;
  time: PaperTime;
  wish: Wish;
  ladder: Ladder | null;
}

/** One order in one of the branches that found it, or none; what was taken comes with each. */
interface Found extends Record<string, unknown> {
  branch: BookSide | "due" | "live" | "wanted" | null;
  taken: string;
  holding: string | null;
}

/** Each branch of the statement walks an index and finds no more than it is asked for. */
async function read(tx: Tx, { market, wish, ladder }: Query, branches: SQL[]): Promise<Found[]> {
  const all = wish.wanted ? [...branches, wantedOrders(wish.wanted)] : branches;
  const { from, to } = ladder?.epochs ?? { from: 1, to: 0 };
  return selectRows<Found>(
    tx,
    sql`select house.taken, ${holdingOf(wish.holding)} as holding, found.*
        from (
          select coalesce(json_agg(json_build_array(side, price_micro::text, taken_micro::text)),
            '[]')::text as taken
          from house_taken
          where market_id = ${market.id}::text and epoch between ${from}::bigint and ${to}::bigint
        ) house left join (${sql.join(all, sql` union all `)}) found on true`,
  );
}

const COLUMNS = columnList(orders, "orders");
const isPaper = () => ofMode(orders.epoch, "paper");
/** Ascends from the order that trades first, on both sides: what `orders_live_queue` is built on. */
const RANK = sql.raw(
  "(case when book_side = 'bid' then - book_price_micro else book_price_micro end)",
);

/**
 * The orders of both sides that house or taker can meet, in the order in which they trade, and what
 * is due. Bounds are measured by quotes from which nothing was taken: none lies further out.
 */
function withinReach({ market, time, wish, ladder }: Query): SQL[] {
  const quotes: Book = { orders: [], house: ladder?.levels ?? [] };
  const queueOf = (side: BookSide) => {
    const bounds = [bestPrice(quotes, oppositeSide(side)), boundOf(wish.taker, side)];
    const ranks = bounds.filter((at) => at !== null).map((at) => (side === "bid" ? -at : at));
    const highest = ranks.length === 0 ? null : ranks.reduce(larger).toString();
    return sql`(select ${sql.raw(`'${side}'`)} as branch, ${COLUMNS} from orders
      where market_id = ${market.id}::text and book_side = ${sql.raw(`'${side}'`)}
        and status = 'open' and ${RANK} <= ${highest}::bigint and ${isPaper()}
      order by ${RANK}, sequence limit ${wish.depth ?? null}::bigint)`;
  };
  return [
    queueOf("bid"),
    queueOf("ask"),
    sql`(select 'due', ${COLUMNS} from orders
      where market_id = ${market.id}::text and status in ('open', 'delayed')
        and (match_after is not null or expires_at is not null)
        and least(match_after, expires_at) <= ${new Date(time.now).toISOString()}::timestamptz
        and ${isPaper()})`,
  ];
}

/** The worst price on a side that a taker can meet; null when it meets nobody there. */
function boundOf(taker: Reach | undefined, side: BookSide): Price | null {
  if (!taker || taker.side === side) return null;
  return taker.limit ?? (side === "bid" ? price(0n) : ONE);
}

function liveOrders(market: ExchangeMarket): SQL {
  return sql`(select 'live' as branch, ${COLUMNS} from orders
    where market_id = ${market.id}::text and ${inArray(orders.status, [...LIVE_STATUSES])}
      and ${isPaper()})`;
}

function wantedOrders({ userId, ids }: NonNullable<Wish["wanted"]>): SQL {
  return sql`(select 'wanted', ${COLUMNS} from orders
    where id = any(${textArray(ids)}::text::text[])
      and user_id = ${userId}::text and ${isPaper()})`;
}

/** Under the market's lock nobody else changes a holding of its tokens. */
function holdingOf(wish: Wish["holding"]): SQL {
  if (!wish) return sql`null::text`;
  const { owner, tokenId } = wish;
  return sql`(select json_build_array(shares_micro::text, cost_micro::text,
      realized_pnl_micro::text)::text from positions
    where user_id = ${owner.userId}::text and epoch = ${owner.epoch}::integer
      and token_id = ${tokenId}::text)`;
}

function toMarket(found: readonly Found[], { time, wish, ladder }: Query): LoadedMarket {
  const inBranch = (branch: Found["branch"]) => found.filter((row) => row.branch === branch);
  const live = found.filter(({ branch }) => branch !== null && branch !== "wanted");
  const byId = new Map(live.map((row) => [row["id"], row]));
  const rows = [...byId.values()].map((row) => decodeRow(orders, row)).toSorted(bySequence);
  const standing = rows.filter((row) => !isExpired(row, time.now));
  const resting = standing.filter((row) => row.status === "open").map(toResting);
  const readTo = {
    bid: lastRead(inBranch("bid"), wish.depth),
    ask: lastRead(inBranch("ask"), wish.depth),
  };
  return {
    book: {
      orders: resting,
      house: houseOf(found, ladder).filter((level) => isRead(level, readTo[level.side])),
    },
    rows,
    // A delayed order waits for a book that it can be matched against.
    due: ladder === null ? [] : standing.filter((row) => isDue(row, time.now)),
    expired: rows.filter((row) => isExpired(row, time.now)),
    readTo,
    wanted: inBranch("wanted").map((row) => decodeRow(orders, row)),
    holding: toHolding(found[0]?.holding ?? null),
  };
}

function houseOf([first]: readonly Found[], ladder: Ladder | null): HouseLevel[] {
  if (ladder === null || !first) return [];
  const taken = new Map<string, bigint>();
  for (const [side, at, size] of JSON.parse(first.taken) as [string, string, string][]) {
    const key = `${side}/${at}`;
    taken.set(key, (taken.get(key) ?? 0n) + BigInt(size));
  }
  return ladder.levels
    .map((level) => less(level, taken.get(`${level.side}/${level.price}`) ?? 0n))
    .filter((level) => level.size > 0n);
}

function toHolding(json: string | null): Holding | null {
  if (json === null) return null;
  const [size, cost, realizedPnl] = (JSON.parse(json) as string[]).map(BigInt);
  return {
    shares: shares(size ?? 0n),
    cost: usdc(cost ?? 0n),
    realizedPnl: usdc(realizedPnl ?? 0n),
  };
}

/** Where reading stopped: at the worst price of a full page. */
function lastRead(page: readonly Found[], depth: number | undefined): Price | null {
  if (depth === undefined || page.length < depth) return null;
  const [first, ...others] = page.map((row) => decodeRow(orders, row));
  let worst = first?.bookPrice ?? null;
  for (const { bookPrice: at, bookSide: side } of others) {
    if (at !== null && worst !== null && (side === "bid" ? at < worst : at > worst)) worst = at;
  }
  return worst;
}

/** At the price where reading stopped, users' orders that were not read go before the house. */
function isRead({ side, price: at }: HouseLevel, stoppedAt: Price | null): boolean {
  if (stoppedAt === null) return true;
  return side === "bid" ? at > stoppedAt : at < stoppedAt;
}

/** Whether delayed orders or the house's quotes will trade before anybody else does. */
function movesFirst({ due, book }: LoadedMarket, house: readonly HouseLevel[]): boolean {
  return due.length > 0 || sweep({ orders: book.orders, house }).length > 0;
}

function isExpired(row: OrderRow, at: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() <= at;
}

function isDue(row: OrderRow, at: number): boolean {
  return row.status === "delayed" && row.matchAfter !== null && row.matchAfter.getTime() <= at;
}

function bookUnknown(): AppError {
  return new AppError(
    "UPSTREAM_UNAVAILABLE",
    "the venue's book of this market is not known at the moment; try again",
  );
}

const bySequence = (a: OrderRow, b: OrderRow) => (a.sequence < b.sequence ? -1 : 1);
