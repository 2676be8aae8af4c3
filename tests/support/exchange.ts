import { randomUUID } from "node:crypto";
import { inArray } from "drizzle-orm";
import { afterAll, afterEach } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { LIVE_STATUSES } from "@/lib/domain/order-status";
import { bestPrice, type BookSide } from "@/lib/domain/matching";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { cancelOrders } from "@/lib/services/orders/cancel-orders";
import { placeOrder } from "@/lib/services/orders/place-order";
import { ONE, type Price, price, type Shares, type Usdc } from "@/lib/units";
import { listingAt } from "@/lib/venue/paper/listing";
import { houseLadder } from "@/lib/venue/paper/liquidity/simulated";
import type { PaperMarket } from "@/lib/venue/paper/market";
import type { VenueRehearsal } from "@/lib/venue/port";
import type { TestUser } from "@/tests/support/users";

/** The instant at which the first test of a file begins. */
const START = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How often the house moves its quotes. */
export const REPRICE = 5_000;

let instant = START;

export interface TestClock {
  readonly now: number;
  set(at: number): void;
  advance(byMs: number): void;
}

/**
 * Holds the service's clock, and with it the paper markets. Each test begins on a whole minute after
 * the one before, when the house has forgotten what was taken, and leaves no live order behind.
 */
export function useTestClock(): TestClock {
  const restore = setClock(() => instant);
  afterEach(async () => {
    await endLiveOrders();
    instant = (Math.floor(instant / MINUTE) + 1) * MINUTE;
  });
  afterAll(restore);
  return {
    get now() {
      return instant;
    },
    set(to) {
      instant = to;
    },
    advance(byMs) {
      instant += byMs;
    },
  };
}

async function endLiveOrders(): Promise<void> {
  const db = await getDb();
  const live = await db
    .select()
    .from(orders)
    .where(inArray(orders.status, [...LIVE_STATUSES]));
  for (const userId of new Set(live.map((order) => order.userId))) {
    await cancelOrders({ userId, mode: "paper", keyId: "test", scopes: ["cancel"] });
  }
}

interface MarketWish {
  /** Grid prices strictly between the house's best bid and ask. */
  inside?: number;
  /** Milliseconds from now. */
  closesAfter?: number;
  closesWithin?: number;
  hasFee?: boolean;
  depth?: "thin" | "normal" | "deep";
  /** Anything else about it. */
  where?: (market: PaperMarket) => boolean;
}

const used = new Set<string>();

/** An open market as wished, in which nobody has an order, quoted on both sides near one half. */
export function freshMarket(wish: MarketWish = {}): PaperMarket {
  const { inside = 5, closesAfter = 2 * DAY, closesWithin = 1_000 * DAY, hasFee = true } = wish;
  const { depth, where = () => true } = wish;
  const isSuitable = (market: PaperMarket): boolean => {
    const lasts = market.closesAt - instant;
    if (market.feeRate > 0n !== hasFee || lasts < closesAfter || lasts > closesWithin) return false;
    if (depth !== undefined && market.event.depth !== depth) return false;
    const bid = houseBest(market, "bid", instant) ?? 0n;
    const isCentral = bid > 150_000n && bid < 850_000n;
    return isCentral && insidePrices(market).length >= inside && where(market);
  };
  // Those that other tests have used come last, so that tests of one file differ in their market.
  const inTurn = listingAt(instant).markets.toSorted(
    (a, b) => Number(used.has(a.id)) - Number(used.has(b.id)),
  );
  const found = inTurn.find(isSuitable);
  if (!found) throw new Error(`the catalogue has no market with ${JSON.stringify(wish)} now`);
  used.add(found.id);
  return found;
}

/** The best price the house quotes before anything is taken from it, in book prices. */
export function houseBest(market: PaperMarket, side: BookSide, at: number): Price | null {
  return bestPrice({ orders: [], house: houseLadder(market, at) }, side);
}

/** Book prices on the grid at which an order meets no house quote, ascending. */
function insidePrices(market: PaperMarket): Price[] {
  const bid = houseBest(market, "bid", instant) ?? 0n;
  const ask = houseBest(market, "ask", instant) ?? ONE;
  const prices: Price[] = [];
  for (let next = bid + market.tick; next < ask; next += market.tick) prices.push(price(next));
  return prices;
}

/** The first inside prices of a market, as many as asked for. */
export function insideOf(market: PaperMarket): (index: number) => Price {
  const prices = insidePrices(market);
  return (index) => {
    const at = prices[index];
    if (at === undefined) throw new Error(`the spread has no price number ${index}`);
    return at;
  };
}

export const tokenOf = (market: PaperMarket, outcome: OutcomeIndex): string =>
  market.outcomes[outcome].tokenId;

interface OrderWish {
  market: PaperMarket;
  action: Action;
  outcome: OutcomeIndex;
  /** Without it the order is a market order, whatever `worst` says. */
  limit?: Price;
  worst?: Price;
  size?: Shares;
  amount?: Usdc;
  key?: string;
}

export interface Placed {
  orderId: string;
  /** The order's state, or null when it was refused. */
  status: string | null;
  /** Why it was refused, or null. */
  code: string | null;
  message: string;
}

/** Places an order as the interface does. Prices are those of the order's own token. */
export async function place(
  user: TestUser,
  wish: OrderWish,
  rehearsal: VenueRehearsal = null,
): Promise<Placed> {
  const { answer, orderId } = await placeOrder(user.principal, bodyOf(wish), rehearsal);
  const { data, error } = JSON.parse(answer.body) as {
    data?: { status: string; message: string };
    error?: { code: string; message: string };
  };
  return {
    orderId,
    status: data?.status ?? null,
    code: error?.code ?? null,
    message: data?.message ?? error?.message ?? "",
  };
}

export function bodyOf(wish: OrderWish): PlaceOrderBody {
  const { market, action, outcome, limit, worst, size, amount, key } = wish;
  return {
    tokenId: tokenOf(market, outcome),
    action,
    orderType: limit === undefined ? "market" : "limit",
    price: limit ?? worst,
    shares: size,
    amount,
    idempotencyKey: key ?? randomUUID(),
  };
}

/** Gives one user shares of the first outcome and the other as many of the second, by a mint. */
export async function mintPair(
  market: PaperMarket,
  users: { first: TestUser; second: TestUser },
  size: Shares,
): Promise<void> {
  const at = insideOf(market)(0);
  const base = { market, action: "BUY", size } as const;
  await place(users.first, { ...base, outcome: 0, limit: at });
  const taken = await place(users.second, { ...base, outcome: 1, limit: price(ONE - at) });
  if (taken.status !== "filled") throw new Error(`the pair was not minted: ${taken.message}`);
}
