import "server-only";
import { decodeRow } from "@/lib/db/batch";
import type { OrderRow } from "@/lib/db/rows";
import { orders } from "@/lib/db/schema/trading";
import type { Book, BookSide, HouseLevel } from "@/lib/domain/matching";
import type { Holding } from "@/lib/domain/position";
import { type Price, shares, usdc } from "@/lib/units";
import type { PaperTime } from "@/lib/venue/paper/clock";
import { toResting } from "@/lib/venue/paper/round";
import { less } from "@/lib/venue/paper/source/houses";
import type { Ladder } from "@/lib/venue/paper/source/port";

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
  /** What the user asked for has. */
  own: Own;
}

/** What a user has of the asset that an order is paid with, and of the order's token. */
interface Own {
  available: bigint;
  held: bigint;
  /** Null for nothing. */
  holding: Holding | null;
}

/** One order in one of the branches that found it, or none; what was taken comes with each. */
export interface Found extends Record<string, unknown> {
  branch: BookSide | "due" | "live" | "wanted" | null;
  taken: string;
  own: string | null;
}

type Text = string | null;

/** How a reading is to be understood: when, against which quotes, and where it stopped. */
interface Understanding {
  time: PaperTime;
  ladder: Ladder | null;
  wish: { depth?: number };
}

export function toMarket(
  found: readonly Found[],
  { time, wish, ladder }: Understanding,
): LoadedMarket {
  const inBranch = (branch: Found["branch"]) => found.filter((row) => row.branch === branch);
  const rows = [...live(found, time.now).values()].toSorted(bySequence);
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
    own: toOwn(found[0]?.own ?? null),
  };
}

/** Orders that were read because of an instant take part only once it has come. */
function live(found: readonly Found[], at: number): Map<string, OrderRow> {
  const rows = new Map<string, OrderRow>();
  for (const raw of found) {
    if (raw.branch === null || raw.branch === "wanted") continue;
    const row = decodeRow(orders, raw);
    if (raw.branch !== "due" || isDue(row, at) || isExpired(row, at)) rows.set(row.id, row);
  }
  return rows;
}

export function houseOf([first]: readonly Found[], ladder: Ladder | null): HouseLevel[] {
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

function toOwn(json: string | null): Own {
  if (json === null) return { available: 0n, held: 0n, holding: null };
  const [free, reserved, holding] = JSON.parse(json) as [
    Text,
    Text,
    [string, string, string] | null,
  ];
  return {
    available: BigInt(free ?? 0),
    held: BigInt(reserved ?? 0),
    holding: holding && {
      shares: shares(BigInt(holding[0])),
      cost: usdc(BigInt(holding[1])),
      realizedPnl: usdc(BigInt(holding[2])),
    },
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

function isExpired(row: OrderRow, at: number): boolean {
  return row.expiresAt !== null && row.expiresAt.getTime() <= at;
}

function isDue(row: OrderRow, at: number): boolean {
  return row.status === "delayed" && row.matchAfter !== null && row.matchAfter.getTime() <= at;
}

const bySequence = (a: OrderRow, b: OrderRow) => (a.sequence < b.sequence ? -1 : 1);
