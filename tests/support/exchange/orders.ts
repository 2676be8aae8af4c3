import { randomUUID } from "node:crypto";
import { inArray } from "drizzle-orm";
import { afterAll, afterEach } from "vitest";
import { setClock } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { orders } from "@/lib/db/schema/trading";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { bestPrice, type BookSide } from "@/lib/domain/matching";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { cancelOrders } from "@/lib/orders/cancel-order";
import { placeOrder } from "@/lib/orders/place-order";
import { ONE, type Price, price, type Shares, type Usdc } from "@/lib/units";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { computeHouseLevels } from "@/lib/exchange/simulated-house-quotes";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import type { SimulatedFault } from "@/lib/venue/port";
import type { TestUser } from "@/tests/support/users";

/** The start time of the first test of a file. */
const START = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The interval at which house quotes change. */
export const REPRICE = 5_000;

let instant = START;

export interface TestClock {
  readonly now: number;
  set(at: number): void;
  advance(byMs: number): void;
}

/**
 * Freezes the service's clock and the paper markets. Each test starts on the next whole minute, when
 * house quotes are replenished. After each test, its unsettled orders are canceled.
 */
export function useTestClock(): TestClock {
  const restore = setClock(() => instant);
  afterEach(async () => {
    await endUnsettledOrders();
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

async function endUnsettledOrders(): Promise<void> {
  const db = await getDb();
  const live = await db
    .select()
    .from(orders)
    .where(inArray(orders.status, [...UNSETTLED_STATUSES]));
  for (const userId of new Set(live.map((order) => order.userId))) {
    await cancelOrders({ userId, mode: "paper", keyId: "test", scopes: ["cancel"] });
  }
}

interface MarketCriteria {
  /** Grid prices strictly between the house's best bid and ask. */
  inside?: number;
  /** In milliseconds from now. */
  closesAfter?: number;
  closesWithin?: number;
  hasFee?: boolean;
  depth?: "thin" | "normal" | "deep";
  /** Further conditions. */
  where?: (market: PaperMarket) => boolean;
}

const used = new Set<string>();

/** Returns an open, unused market that meets the conditions, quoted on both sides near 0.5. */
export function freshMarket(criteria: MarketCriteria = {}): PaperMarket {
  const { inside = 5, closesAfter = 2 * DAY, closesWithin = 1_000 * DAY, hasFee = true } = criteria;
  const { depth, where = () => true } = criteria;
  const isSuitable = (market: PaperMarket): boolean => {
    const lasts = market.closesAt - instant;
    if (market.feeRate > 0n !== hasFee || lasts < closesAfter || lasts > closesWithin) return false;
    if (depth !== undefined && market.event.depth !== depth) return false;
    const bid = houseBest(market, "bid", instant) ?? 0n;
    const isCentral = bid > 150_000n && bid < 850_000n;
    return isCentral && insidePrices(market).length >= inside && where(market);
  };
  // Used markets come last, so that tests of one file use different markets.
  const inTurn = getListedMarkets(instant).markets.toSorted(
    (a, b) => Number(used.has(a.id)) - Number(used.has(b.id)),
  );
  const found = inTurn.find(isSuitable);
  if (!found) throw new Error(`the catalogue has no market with ${JSON.stringify(criteria)} now`);
  used.add(found.id);
  return found;
}

/** Returns the best house price before users took from it, in book prices. */
export function houseBest(market: PaperMarket, side: BookSide, at: number): Price | null {
  return bestPrice({ orders: [], house: computeHouseLevels(market, at) }, side);
}

/** Returns the book prices between the house's quotes, ascending. */
function insidePrices(market: PaperMarket): Price[] {
  const bid = houseBest(market, "bid", instant) ?? 0n;
  const ask = houseBest(market, "ask", instant) ?? ONE;
  const prices: Price[] = [];
  for (let next = bid + market.tick; next < ask; next += market.tick) prices.push(price(next));
  return prices;
}

/** Returns a function that returns the inside price at an index. */
export function findPriceInside(market: PaperMarket): (index: number) => Price {
  const prices = insidePrices(market);
  return (index) => {
    const at = prices[index];
    if (at === undefined) throw new Error(`the spread has no price number ${index}`);
    return at;
  };
}

export const getToken = (market: PaperMarket, outcome: OutcomeIndex): string =>
  market.outcomes[outcome].tokenId;

interface TestOrder {
  market: PaperMarket;
  action: Action;
  outcome: OutcomeIndex;
  /** The limit price. Without it, the order is a market order. */
  limit?: Price;
  worst?: Price;
  size?: Shares;
  amount?: Usdc;
  key?: string;
}

export interface Placed {
  orderId: string;
  /** The order's state; null if it was refused. */
  status: string | null;
  /** The refusal, or null. */
  code: string | null;
  message: string;
}

/** Places an order like the API. Prices are in prices of the order's own token. */
export async function place(
  user: TestUser,
  order: TestOrder,
  simulatedFault: SimulatedFault = null,
): Promise<Placed> {
  const { answer, orderId } = await placeOrder(user.principal, createBody(order), {
    simulatedFault,
  });
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

export function createBody(order: TestOrder): PlaceOrderBody {
  const { market, action, outcome, limit, worst, size, amount, key } = order;
  return {
    tokenId: getToken(market, outcome),
    action,
    orderType: limit === undefined ? "market" : "limit",
    price: limit ?? worst,
    shares: size,
    amount,
    idempotencyKey: key ?? randomUUID(),
  };
}

/** Mints pairs: one user gets the shares of the first outcome, the other those of the second. */
export async function mintPair(
  market: PaperMarket,
  users: { first: TestUser; second: TestUser },
  size: Shares,
): Promise<void> {
  const at = findPriceInside(market)(0);
  const base = { market, action: "BUY", size } as const;
  await place(users.first, { ...base, outcome: 0, limit: at });
  const taken = await place(users.second, { ...base, outcome: 1, limit: price(ONE - at) });
  if (taken.status !== "filled") throw new Error(`the pair was not minted: ${taken.message}`);
}
