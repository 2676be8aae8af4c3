import "server-only";
import { inArray, type SQL, sql } from "drizzle-orm";
import { columnList, textArray } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { ofMode } from "@/lib/db/queries/mode";
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
import { AppError } from "@/lib/errors";
import { type Asset, ownedIdOf } from "@/lib/ledger/accounts";
import { larger, ONE, type Price, price } from "@/lib/units";
import type { PaperTime } from "@/lib/venue/paper/clock";
import { type Found, houseOf, type LoadedMarket, toMarket } from "@/lib/venue/paper/loaded";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket, Ladder } from "@/lib/venue/paper/source/port";

/** What a transaction needs of its market. */
export interface Wish {
  /** Whom a new order may meet. Everybody else only meets the house. */
  taker?: Reach;
  /** How many orders of a side are read at most, the best first. All of them without it. */
  depth?: number;
  /** A user's orders, whatever became of them. */
  wanted?: { userId: string; ids: readonly string[] };
  own?: { userId: string; tokenId: string; asset: Asset };
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
  const query = { market, time, wish, ladder, dueBy: time.now };
  return settle(tx, query, await selectRows<Found>(tx, reading(query, withinReach(query))));
}

/** A reading that is sent off together with the lock of its market, before the lock is there. */
interface EarlyReading {
  statement: SQL;
  /** What it found, as of the instant at which the lock was there; null when that was too late. */
  settle: (tx: Tx, rows: readonly unknown[], time: PaperTime) => Promise<LoadedMarket | null>;
}

/** How long the lock may be waited for: orders that fall due until then are read as well. */
const WAIT_MS = 2_000;

/** Null where the quotes are not known by which a reading is measured. */
export function readEarly(
  market: ExchangeMarket,
  time: PaperTime,
  wish: Wish,
): EarlyReading | null {
  const ladder = originOf(market).getLadder(time.market);
  if (ladder === null) return null;
  const query = { market, time, wish, ladder, dueBy: time.now + WAIT_MS };
  return {
    statement: reading(query, withinReach(query)),
    settle: async (tx, rows, at) => {
      if (at.now > query.dueBy) return null;
      if (!isSame(ladder, originOf(market).getLadder(at.market))) return null;
      return settle(tx, { ...query, time: at }, rows as Found[]);
    },
  };
}

async function settle(tx: Tx, query: Query, found: readonly Found[]): Promise<LoadedMarket> {
  const reached = toMarket(found, query);
  if (!movesFirst(reached, houseOf(found, query.ladder))) return reached;
  const rows = await selectRows<Found>(tx, reading(query, [liveOrders(query.market)]));
  return toMarket(rows, { ...query, wish: {} });
}

/** Reads every live order of a market, with no quotes: what a closed market still has to end. */
export async function loadWholeMarket(
  tx: Tx,
  market: ExchangeMarket,
  time: PaperTime,
  wish: Pick<Wish, "wanted">,
): Promise<LoadedMarket> {
  const query: Query = { market, time, wish, ladder: null, dueBy: time.now };
  const found = await selectRows<Found>(tx, reading(query, [liveOrders(market)]));
  const loaded = toMarket(found, query);
  return { ...loaded, due: [], expired: [] };
}

interface Query {
  market: ExchangeMarket;
  time: PaperTime;
  wish: Wish;
  ladder: Ladder | null;
  /** Orders are read that fall due until then. */
  dueBy: number;
}

/** Each branch of the statement walks an index and finds no more than it is asked for. */
function reading({ market, wish, ladder }: Query, branches: readonly SQL[]): SQL {
  const all = wish.wanted ? [...branches, wantedOrders(wish.wanted)] : branches;
  const { from, to } = ladder?.epochs ?? { from: 1, to: 0 };
  return sql`select house.taken, ${ownOf(wish.own)} as own, found.*
        from (
          select coalesce(json_agg(json_build_array(side, price_micro::text, taken_micro::text)),
            '[]')::text as taken
          from house_taken
          where market_id = ${market.id}::text and epoch between ${from}::bigint and ${to}::bigint
        ) house left join (${sql.join([...all], sql` union all `)}) found on true`;
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
function withinReach({ market, wish, ladder, dueBy }: Query): SQL[] {
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
        and least(match_after, expires_at) <= ${new Date(dueBy).toISOString()}::timestamptz
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

/** Under the market's lock nobody else changes a holding of its tokens; of the cash they may. */
function ownOf(wish: Wish["own"]): SQL {
  if (!wish) return sql`null::text`;
  const { userId, tokenId, asset } = wish;
  const balance = (kind: "available" | "held") =>
    sql`(select balance_micro::text from ledger_accounts where id = ${ownedIdOf(kind, asset)})`;
  return sql`(select json_build_array(${balance("available")}, ${balance("held")},
      (select json_build_array(shares_micro::text, cost_micro::text, realized_pnl_micro::text)
        from positions where user_id = owner.id and epoch = owner.epoch
          and token_id = ${tokenId}::text))::text
    from users owner where owner.id = ${userId}::text)`;
}

/** Whether delayed orders or the house's quotes will trade before anybody else does. */
function movesFirst({ due, book }: LoadedMarket, house: readonly HouseLevel[]): boolean {
  return due.length > 0 || sweep({ orders: book.orders, house }).length > 0;
}

function isSame(one: Ladder, other: Ladder | null): boolean {
  if (other === null) return false;
  const { levels, epochs } = one;
  if (epochs.from !== other.epochs.from || epochs.to !== other.epochs.to) return false;
  if (levels === other.levels) return true;
  return (
    levels.length === other.levels.length &&
    levels.every(({ side, price: at, size }, index) => {
      const level = other.levels[index];
      return level?.side === side && level.price === at && level.size === size;
    })
  );
}

function bookUnknown(): AppError {
  return new AppError(
    "UPSTREAM_UNAVAILABLE",
    "the venue's book of this market is not known at the moment; try again",
  );
}
