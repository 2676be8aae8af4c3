import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { listColumns, decodeRow, isOneOf, toJsonRows } from "@/lib/db/batch";
import { selectRows } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { restoreStatementTimeout } from "@/lib/db/market-transaction";
import { runBatch } from "@/lib/db/pipeline";
import { toMarketRow } from "@/lib/db/queries/market-row";
import type { OrderRow } from "@/lib/db/rows";
import { markets, orders } from "@/lib/db/schema/trading";
import {
  bestPrice,
  type Book,
  type BookSide,
  type HouseLevel,
  oppositeSide,
} from "@/lib/domain/matching";
import type { Holding } from "@/lib/domain/position";
import { AppError, assert } from "@/lib/errors";
import { getMarketData } from "@/lib/exchange/choose-source";
import { type PaperTime, readTime } from "@/lib/exchange/clock";
import { subtractTaken } from "@/lib/exchange/remaining-house-quotes";
import type { ExchangeMarket, Ladder } from "@/lib/exchange/market-source";
import { toResting } from "@/lib/venue/order-row";
import { isTemplateMarket } from "@/lib/exchange/simulated-source";
import { type Asset, LIVE_EPOCH, selectOwnedId } from "@/lib/ledger/accounts";
import { larger, ONE, type Price, price, shares, usdc } from "@/lib/units";

/** The part of a market that a transaction loads. */
export interface LoadOptions {
  /** The prices that new or delayed orders can trade at. Without takers, only house quotes match. */
  takers?: readonly PriceBound[];
  /** Maximum number of orders per side, and of due orders. Those that trade first are loaded. */
  depth: number;
  /** A user's orders to load by id, in any status. */
  requested?: RequestedOrders;
  /** The user whose balance, position and open orders to load. */
  owner?: { userId: string; tokenId: string; asset: Asset };
}

/** The price up to which a taker trades; null for the best price plus protection. */
export interface PriceBound {
  side: BookSide;
  limit: Price | null;
}

interface RequestedOrders {
  userId: string;
  ids: readonly string[];
}

/** The part of a market's state that a transaction works on. The market is locked, except in estimates. */
export interface LoadedMarket {
  book: Book;
  rows: OrderRow[];
  /** Delayed orders that are due, oldest first. */
  due: OrderRow[];
  /** Orders whose expiry has passed. They are not in the book. */
  expired: OrderRow[];
  /** Whether due or expired orders beyond `depth` may exist. */
  hasMoreDue: boolean;
  /** The last loaded price of a side whose further orders were not loaded; null if all were. */
  readTo: Record<BookSide, Price | null>;
  requested: OrderRow[];
  owner: OwnerState;
}

/** A user's balance of the asset that an order is paid with, and position in the order's token. */
interface OwnerState {
  available: bigint;
  held: bigint;
  /** Null without a position. */
  holding: Holding | null;
  /** Number of the user's live orders in this market. */
  liveOrders: number;
}

interface LockedMarket {
  /** The rows that the lock statement returned. */
  lockRows: unknown[];
  /** The rows of each statement of `after`. */
  rows: unknown[][];
  /**
   * Returns the market as loaded under its lock. Null if the house quotes changed during the wait for
   * the lock; the caller then loads the market again.
   */
  loadedAt: (time: PaperTime) => LoadedMarket | null;
}

/** Returns the statement that locks the market's row, if it has one, and selects its id. */
export const lockStatement = (market: ExchangeMarket): SQL =>
  sql`select id from markets where id = ${market.id}::text for update`;

/** Locks a market's row. Inserts it first if the market has no trades yet. */
export async function lockMarket(tx: Tx, market: ExchangeMarket): Promise<void> {
  const rows = await selectRows(tx, lockStatement(market));
  if (rows.length === 0) await lockNewMarket(tx, market);
}

/** Inserts the row of a market without trades, and locks it. */
export async function lockNewMarket(tx: Tx, market: ExchangeMarket): Promise<void> {
  await tx.insert(markets).values(toRow(market)).onConflictDoNothing();
  const rows = await selectRows(tx, lockStatement(market));
  assert(rows.length === 1, "a market row was just written");
}

function toRow(market: ExchangeMarket): typeof markets.$inferInsert {
  const row = toMarketRow(market);
  if (!isTemplateMarket(market)) return row;
  const { event, template, instance } = market;
  return { ...row, templateId: event.id, templateMarketId: template.id, instance };
}

/**
 * Locks a market and loads it in one round trip. The first statement takes the lock, so the others
 * see what the lock's previous owner committed.
 *
 * @param statements.after other statements to run under the lock.
 */
export async function lockAndLoadMarket(
  tx: Tx,
  market: ExchangeMarket,
  { lock, after = [], options }: { lock: SQL; after?: readonly SQL[]; options: LoadOptions },
): Promise<LockedMarket> {
  const load = prepareLoad(market, readTime(), options);
  const statements = [lock, ...after, ...(load ? [buildLoads([load])] : [])];
  const [lockRows = [], ...others] = await runBatch(tx, statements);
  const rows = others.slice(0, after.length);
  const loadedRows = others[after.length] ?? [];
  await restoreStatementTimeout(tx);
  return { lockRows, rows, loadedAt: (time) => load && load.decode(loadedRows, time) };
}

/**
 * Loads, in one statement, what can trade now: house quotes, the resting orders that they or a taker
 * can meet, and due orders. `readTo` and `hasMoreDue` say which part was not loaded.
 */
export async function loadMarket(
  tx: Tx,
  market: ExchangeMarket,
  time: PaperTime,
  options: LoadOptions,
): Promise<LoadedMarket> {
  const ladder = getMarketData(market).getLadder(time.market);
  if (ladder === null && options.takers) throw createBookUnknown();
  const query = { market, time, options, ladder, dueBy: time.now };
  return toLoadedMarket(await selectRows<LoadedRow>(tx, buildLoads([{ query }])), query);
}

/** A load that is sent together with the market's lock, before the time of the lock is known. */
export interface PreparedLoad {
  query: LoadQuery;
  /** Decodes the load's rows as of the time of the lock; returns null if they don't fit that time. */
  decode: (rows: readonly unknown[], time: PaperTime) => LoadedMarket | null;
}

/** Maximum wait for the lock. Orders that become due during the wait are loaded too. */
const WAIT_MS = 2_000;

/** Returns null if the house quotes are unknown: they decide which orders to load. */
export function prepareLoad(
  market: ExchangeMarket,
  time: PaperTime,
  options: LoadOptions,
): PreparedLoad | null {
  const ladder = getMarketData(market).getLadder(time.market);
  if (ladder === null) return null;
  const query = { market, time, options, ladder, dueBy: time.now + WAIT_MS };
  return {
    query,
    decode: (rows, at) => {
      if (at.now > query.dueBy) return null;
      if (!isSame(ladder, getMarketData(market).getLadder(at.market))) return null;
      return toLoadedMarket(rows as LoadedRow[], { ...query, time: at });
    },
  };
}

/** Loads live orders of a market, optionally of one user. Used after the market closed. */
export async function loadLiveOrders(
  tx: Tx,
  market: ExchangeMarket,
  { userId, limit }: { userId?: string; limit: number },
): Promise<OrderRow[]> {
  const ofUser = userId === undefined ? sql`` : sql` and user_id = ${userId}::text`;
  const rows = await selectRows<Record<string, unknown>>(
    tx,
    sql`select ${COLUMNS} from orders
        where market_id = ${market.id}::text and ${IS_LIVE} and ${IS_PAPER}${ofUser}
        limit ${limit}`,
  );
  return rows.map((row) => decodeRow(orders, row));
}

/** Loads a user's orders by id, in any status. */
export async function loadRequestedOrders(
  tx: Tx,
  { userId, ids }: RequestedOrders,
): Promise<OrderRow[]> {
  const rows = await selectRows<Record<string, unknown>>(
    tx,
    sql`select ${COLUMNS} from orders
        where ${isOneOf(sql`id`, ids)} and user_id = ${userId}::text and ${IS_PAPER}`,
  );
  return rows.map((row) => decodeRow(orders, row));
}

interface LoadQuery {
  market: ExchangeMarket;
  time: PaperTime;
  options: LoadOptions;
  ladder: Ladder | null;
  /** Loads the orders that become due until this time, in milliseconds. */
  dueBy: number;
}

/** The most loads of one statement. */
export const MAX_LOADS = 16;

/**
 * Builds the statement of several loads, whose rows `splitRows` separates. Its text is the same for any
 * number of loads. Each branch is an index scan with a limit, which runs once per load. The limit of the loads
 * stops the planner from joining them with whole tables, and from planning for the hundred that it expects.
 *
 * One statement for all loads is for speed alone (docs/adr/0073).
 */
export function buildLoads(loads: readonly Pick<PreparedLoad, "query">[]): SQL {
  assert(loads.length <= MAX_LOADS, "a statement has at most so many loads");
  const wanted = loads.map(({ query }, index) => toWanted(query, index));
  const isAsked = (part: "owner" | "requested") => loads.some(({ query }) => query.options[part]);
  // Postgres takes time to set up even the parts that no load asks for.
  const owner = isAsked("owner") ? OWNER : sql`null::text`;
  const branches = isAsked("requested") ? [...TRADABLE, REQUESTED] : TRADABLE;
  return sql`select wanted.position, wanted.taken, wanted.owner, found.*
    from (
      select given.*, ${TAKEN} as taken, ${owner} as owner
      from json_to_recordset(${toJsonRows(wanted)}::text::json) as given (position integer, depth bigint,
        market_id text, due_by timestamptz, has_book boolean, first_epoch bigint, last_epoch bigint,
        highest_bid bigint, highest_ask bigint, user_id text, token_id text, asset text,
        requested_of text, requested_ids text[])
      limit ${sql.raw(String(MAX_LOADS))}
    ) wanted left join lateral (${sql.join(branches, sql` union all `)}) found on true`;
}

/** Returns the rows of each load of the statement. */
export function splitRows(rows: readonly unknown[], loads: number): unknown[][] {
  const split = Array.from({ length: loads }, (): unknown[] => []);
  for (const row of rows) split[(row as LoadedRow).position]?.push(row);
  return split;
}

/** Converts a load to its row of the statement's parameter. */
function toWanted({ market, options, ladder, dueBy }: LoadQuery, position: number): object {
  const { takers = [], depth, requested, owner } = options;
  const quotes: Book = { orders: [], house: ladder?.levels ?? [] };
  const computeHighest = (side: BookSide) => {
    // The house's best price is computed without what was taken from it, so it is the outer bound.
    const limits = takers.map((taker) => computeBound(taker, side));
    const bounds = [bestPrice(quotes, oppositeSide(side)), ...limits];
    const ranks = bounds.filter((at) => at !== null).map((at) => (side === "bid" ? -at : at));
    return ranks.length === 0 ? null : ranks.reduce(larger);
  };
  return {
    position,
    depth,
    market_id: market.id,
    due_by: new Date(dueBy),
    has_book: ladder !== null,
    first_epoch: ladder?.epochs.from,
    last_epoch: ladder?.epochs.to,
    highest_bid: computeHighest("bid"),
    highest_ask: computeHighest("ask"),
    user_id: owner?.userId,
    token_id: owner?.tokenId,
    asset: owner?.asset,
    requested_of: requested?.userId,
    requested_ids: requested?.ids,
  };
}

const COLUMNS = listColumns(orders, "orders");
/** Text only, because drizzle takes many times as long to build a statement that has a column. */
const IS_PAPER = sql.raw(`orders.epoch > ${LIVE_EPOCH}`);
/** Spelled like the predicate of the indexes over live orders, so that Postgres uses them. */
const IS_LIVE = sql`status in ('open', 'delayed')`;
/** Ascends from the order that trades first, on both sides. `orders_live_queue` indexes this term. */
const RANK = sql.raw(
  "(case when book_side = 'bid' then - book_price_micro else book_price_micro end)",
);

const selectQueue = (
  side: BookSide,
) => sql`(select ${sql.raw(`'${side}'`)} as branch, ${COLUMNS} from orders
  where market_id = wanted.market_id and book_side = ${sql.raw(`'${side}'`)}
    and status = 'open' and ${RANK} <= wanted.${sql.raw(`highest_${side}`)} and ${IS_PAPER}
  order by ${RANK}, sequence limit wanted.depth)`;

/**
 * Selects the orders of both sides that the house or a taker can meet, in the order in which they
 * trade, and the due orders.
 */
const TRADABLE = [
  selectQueue("bid"),
  selectQueue("ask"),
  sql`(select 'due', ${COLUMNS} from orders
    where market_id = wanted.market_id and ${IS_LIVE}
      and (match_after is not null or expires_at is not null)
      and least(match_after, expires_at) <= wanted.due_by and ${IS_PAPER}
      and (expires_at <= wanted.due_by
        or (wanted.has_book and status = 'delayed' and match_after <= wanted.due_by))
    order by least(match_after, expires_at), sequence limit wanted.depth)`,
];

/** Selects orders by id, in any status. */
const REQUESTED = sql`(select 'requested', ${COLUMNS} from orders
  where id = any(wanted.requested_ids) and user_id = wanted.requested_of and ${IS_PAPER})`;

/** Selects what was taken from the house's quotes, as JSON. */
const TAKEN = sql`(select coalesce(
    json_agg(json_build_array(side, price_micro::text, taken_micro::text)), '[]')::text
  from house_taken where market_id = given.market_id
    and house_taken.epoch between given.first_epoch and given.last_epoch)`;

const selectBalance = (kind: "available" | "held") =>
  sql`(select balance_micro::text from ledger_accounts
    where id = ${selectOwnedId(kind, sql`given.asset`)})`;

/**
 * Selects an `OwnerState` as JSON. Under the market's lock, no other transaction changes a holding of
 * its tokens. The USDC balance can change.
 */
const OWNER = sql`(select json_build_array(${selectBalance("available")}, ${selectBalance("held")},
      (select json_build_array(shares_micro::text, cost_micro::text, realized_pnl_micro::text)
        from positions where user_id = owner.id and epoch = owner.epoch
          and token_id = given.token_id),
      (select count(*) from orders where market_id = given.market_id and user_id = owner.id
          and ${IS_LIVE} and ${IS_PAPER}))::text
    from users owner where owner.id = given.user_id)`;

/** Returns the worst price on a side that a taker can trade at; null for the taker's own side. */
function computeBound(taker: PriceBound, side: BookSide): Price | null {
  if (taker.side === side) return null;
  return taker.limit ?? (side === "bid" ? price(0n) : ONE);
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

function createBookUnknown(): AppError {
  return new AppError(
    "UPSTREAM_UNAVAILABLE",
    "The venue's order book for this market is unavailable. Try again.",
  );
}

/** An order and the branch that found it; null columns if none was found. Each row repeats `taken`. */
interface LoadedRow extends Record<string, unknown> {
  /** The place of the load in the statement. */
  position: number;
  branch: BookSide | "due" | "requested" | null;
  taken: string;
  owner: string | null;
}

function toLoadedMarket(
  loaded: readonly LoadedRow[],
  { time, options, ladder }: Pick<LoadQuery, "time" | "options" | "ladder">,
): LoadedMarket {
  const getBranch = (branch: LoadedRow["branch"]) => loaded.filter((row) => row.branch === branch);
  const rows = [...decodeLive(loaded, time.now).values()].toSorted(bySequence);
  const unexpired = rows.filter((row) => !isExpired(row, time.now));
  const resting = unexpired.filter((row) => row.status === "open").map(toResting);
  const readTo = {
    bid: findLastPrice(getBranch("bid"), options.depth),
    ask: findLastPrice(getBranch("ask"), options.depth),
  };
  return {
    book: {
      orders: resting,
      house: decodeHouse(loaded, ladder).filter((level) => isRead(level, readTo[level.side])),
    },
    rows,
    // A delayed order waits until there is a book to match it against.
    due: ladder === null ? [] : unexpired.filter((row) => isDue(row, time.now)),
    expired: rows.filter((row) => isExpired(row, time.now)),
    hasMoreDue: isFullOfDue(getBranch("due"), options.depth, time.now),
    readTo,
    requested: getBranch("requested").map((row) => decodeRow(orders, row)),
    owner: decodeOwner(loaded[0]?.owner ?? null),
  };
}

/** The due branch also has orders that are due only later. They are left out. */
function decodeLive(loaded: readonly LoadedRow[], at: number): Map<string, OrderRow> {
  const rows = new Map<string, OrderRow>();
  for (const raw of loaded) {
    if (raw.branch === null || raw.branch === "requested") continue;
    const row = decodeRow(orders, raw);
    if (raw.branch !== "due" || isDue(row, at) || isExpired(row, at)) rows.set(row.id, row);
  }
  return rows;
}

/** Due orders are sorted by time: if the last one of a full page is due, the next one may be too. */
function isFullOfDue(page: readonly LoadedRow[], depth: number, at: number): boolean {
  const last = page.at(-1);
  if (!last || page.length < depth) return false;
  const row = decodeRow(orders, last);
  return isDue(row, at) || isExpired(row, at);
}

function decodeHouse([first]: readonly LoadedRow[], ladder: Ladder | null): HouseLevel[] {
  if (ladder === null || !first) return [];
  const taken = new Map<string, bigint>();
  for (const [side, at, size] of JSON.parse(first.taken) as [string, string, string][]) {
    const key = `${side}/${at}`;
    taken.set(key, (taken.get(key) ?? 0n) + BigInt(size));
  }
  return ladder.levels
    .map((level) => subtractTaken(level, taken.get(`${level.side}/${level.price}`) ?? 0n))
    .filter((level) => level.size > 0n);
}

function decodeOwner(json: string | null): OwnerState {
  if (json === null) return { available: 0n, held: 0n, holding: null, liveOrders: 0 };
  const [free, reserved, holding, liveOrders] = JSON.parse(json) as [
    string | null,
    string | null,
    [string, string, string] | null,
    number,
  ];
  return {
    available: BigInt(free ?? 0),
    held: BigInt(reserved ?? 0),
    holding: holding && {
      shares: shares(BigInt(holding[0])),
      cost: usdc(BigInt(holding[1])),
      realizedPnl: usdc(BigInt(holding[2])),
    },
    liveOrders,
  };
}

/** Returns the worst price of a full page; null for a page that holds all orders. */
function findLastPrice(page: readonly LoadedRow[], depth: number): Price | null {
  if (page.length < depth) return null;
  const [first, ...others] = page.map((row) => decodeRow(orders, row));
  let worst = first?.bookPrice ?? null;
  for (const { bookPrice: at, bookSide: side } of others) {
    if (at !== null && worst !== null && (side === "bid" ? at < worst : at > worst)) worst = at;
  }
  return worst;
}

/**
 * Whether all interest that trades before this price was loaded. At the last loaded price, orders
 * that were not loaded come before the house and newer orders.
 */
export function isRead(
  { side, price: at }: { side: BookSide; price: Price },
  readTo: Price | null,
): boolean {
  if (readTo === null) return true;
  return side === "bid" ? at > readTo : at < readTo;
}

function isExpired(row: OrderRow, at: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() <= at;
}

function isDue(row: OrderRow, at: number): boolean {
  return row.status === "delayed" && row.matchAfter !== null && row.matchAfter.getTime() <= at;
}

const bySequence = (a: OrderRow, b: OrderRow) => (a.sequence < b.sequence ? -1 : 1);
