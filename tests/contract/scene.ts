import { randomUUID } from "node:crypto";
import { now } from "@/lib/clock";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { bestPrice, type Book } from "@/lib/domain/matching";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { type Action, bookPriceOf, bookSideOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { newId } from "@/lib/ids";
import { ONE, type Price, price, type Shares } from "@/lib/units";
import {
  type CancelResult,
  type Market,
  type MarketSource,
  NO_CONDITIONS,
  type OrderConditions,
  type OrderEstimate,
  type OrderSubmission,
  type RedeemRequest,
  type RedeemResult,
  type SubmitResult,
} from "@/lib/venue/port";
import type { OrderMoney } from "@/tests/support/exchange-ledger";

export interface Trader {
  userId: string;
  keyId: string;
}

/** What a test needs of a venue besides its port: people, a market of their own, and the books. */
export interface VenueHarness {
  venue: MarketSource;
  /** Somebody with 10,000 USDC and no shares. */
  makeTrader(): Promise<Trader>;
  /** An open market with fees, quoted on both sides, that leaves five prices in between free. */
  makeMarket(): Promise<Market>;
  /** The book as it stands now, whatever anybody saw of it before. */
  readBook(market: Market): Promise<Book>;
  submit(submission: OrderSubmission): Promise<Submitted>;
  /** What became of those of the orders that are the trader's own. */
  cancel(
    market: Market,
    trader: Trader,
    orderIds: readonly string[],
  ): Promise<Map<string, CancelResult>>;
  redeem(request: RedeemRequest): Promise<RedeemResult>;
  /** Lets the time pass in which the market closes and is resolved. */
  resolve(market: Market): Promise<void>;
  readFunds(trader: Trader, asset: string): Promise<{ available: bigint; held: bigint }>;
  /** The order as it is by now, told in the words that every venue has. */
  readOrder(orderId: string): Promise<{ row: OrderRow; fills: FillRow[]; biography: string[] }>;
  /** What became of the order's reservation, as far as the order was read. */
  readMoney(orderId: string): Promise<OrderMoney>;
  /** Counts and sums of everything that a refused request must leave as it was. */
  readTotals(): Promise<Record<string, string>>;
}

export interface Submitted {
  orderId: string;
  result: SubmitResult;
}

/** A market, somebody who takes, and somebody whose orders stand in the way, best price first. */
export interface Scene {
  market: Market;
  taker: Trader;
  maker: Trader;
  /** Prices of the taker's token at which nobody stands yet; 0 is the best for the taker. */
  own(index: number): Price;
  /** An order of the maker (or of another trader) that the taker meets at `own(index)`. */
  rest(index: number, size: Shares, trader?: Trader): Promise<string>;
  take(intent: OrderIntent, orderId?: string): Promise<Submitted>;
  estimate(intent: OrderIntent): Promise<OrderEstimate>;
  limitOrder(index: number, size: Shares): OrderIntent;
  marketOrder(size: Shares, worst: number | null): OrderIntent;
}

const PLENTY = 500_000_000n as Shares;

export async function openScene(
  harness: VenueHarness,
  action: Action = "BUY",
  outcome: OutcomeIndex = 0,
): Promise<Scene> {
  const { venue } = harness;
  const market = await harness.makeMarket();
  const taker = await harness.makeTrader();
  const maker = await harness.makeTrader();
  const side = bookSideOf(action, outcome);
  const inside = await insidePrices(harness, market);
  const prices = side === "bid" ? inside : inside.toReversed();
  const own = (index: number) => bookPriceOf(outcome, at(prices, index));
  if (action === "SELL") await giveShares(harness, { market, to: taker, outcome, from: maker });
  // Whoever buys the other token, or the taker's own from its seller, stands on the other side.
  const makerOutcome: OutcomeIndex = side === "bid" ? 1 : 0;
  return {
    market,
    taker,
    maker,
    own,
    rest: async (index, size, trader = maker) => {
      const limit = bookPriceOf(makerOutcome, at(prices, index));
      const intent = limitOf("BUY", limit, size);
      const { orderId } = await submit(harness, { trader, market, outcome: makerOutcome, intent });
      return orderId;
    },
    take: (intent, orderId) => submit(harness, { trader: taker, market, outcome, intent, orderId }),
    estimate: (intent) =>
      venue.estimateOrder(submissionOf({ trader: taker, market, outcome, intent })),
    limitOrder: (index, size) => limitOf(action, own(index), size),
    marketOrder: (size, worst) => ({
      type: "market",
      action,
      worstPrice: worst === null ? null : own(worst),
      shares: size,
      amount: null,
    }),
  };
}

export function limitOf(action: Action, at_: Price, size: Shares): OrderIntent {
  return { type: "limit", action, price: at_, shares: size, amount: null };
}

interface Submission {
  trader: Trader;
  market: Market;
  outcome: OutcomeIndex;
  intent: OrderIntent;
  conditions?: Partial<OrderConditions> | undefined;
  orderId?: string | undefined;
}

export function submit(harness: VenueHarness, wish: Submission): Promise<Submitted> {
  return harness.submit(submissionOf(wish));
}

function submissionOf(wish: Submission): OrderSubmission {
  const { trader, market, outcome, intent, conditions, orderId } = wish;
  return {
    orderId: orderId ?? newId("ord"),
    userId: trader.userId,
    keyId: trader.keyId,
    market,
    outcome,
    intent,
    conditions: { ...NO_CONDITIONS, ...conditions },
    idempotencyKey: randomUUID(),
    receivedAt: now(),
    rehearsal: null,
  };
}

/** Mints a pair between two traders; `from` keeps the shares of the other outcome. */
async function giveShares(
  harness: VenueHarness,
  {
    market,
    to,
    outcome,
    from,
  }: { market: Market; to: Trader; outcome: OutcomeIndex; from: Trader },
): Promise<void> {
  const other: OutcomeIndex = outcome === 0 ? 1 : 0;
  const [first] = await insidePrices(harness, market);
  if (first === undefined) throw new Error("the market leaves a price free");
  const give = limitOf("BUY", bookPriceOf(outcome, first), PLENTY);
  const keep = limitOf("BUY", bookPriceOf(other, first), PLENTY);
  await submit(harness, { trader: to, market, outcome, intent: give });
  await submit(harness, { trader: from, market, outcome: other, intent: keep });
}

/** Book prices strictly between the best bid and ask, ascending. */
async function insidePrices(harness: VenueHarness, market: Market): Promise<Price[]> {
  const book = await harness.readBook(market);
  const bid = bestPrice(book, "bid") ?? 0n;
  const ask = bestPrice(book, "ask") ?? ONE;
  const prices: Price[] = [];
  for (let next = bid + market.tick; next < ask; next += market.tick) prices.push(price(next));
  return prices;
}

function at(prices: readonly Price[], index: number): Price {
  const found = prices[index];
  if (found === undefined) throw new Error(`the market leaves no price number ${index} free`);
  return found;
}
