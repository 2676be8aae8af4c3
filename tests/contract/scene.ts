import { randomUUID } from "node:crypto";
import { now } from "@/lib/clock";
import type { FillRow, OrderRow } from "@/lib/db/rows";
import { bestPrice, type Book } from "@/lib/domain/matching";
import type { OrderIntent } from "@/lib/domain/order-intent";
import { type Action, toBookPrice, toBookSide, type OutcomeIndex } from "@/lib/domain/settlement";
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
import type { OrderMoney } from "@/tests/support/exchange/ledger";

export interface Trader {
  userId: string;
  keyId: string;
}

/** A venue with what tests need besides its port: users, a market and the books. */
export interface VenueHarness {
  venue: MarketSource;
  /** Creates a user with 10,000 USDC and no shares. */
  makeTrader(): Promise<Trader>;
  /** An open market with fees and quotes on both sides, with five free prices between them. */
  makeMarket(): Promise<Market>;
  /** Returns the current book, bypassing caches. */
  readBook(market: Market): Promise<Book>;
  submit(submission: OrderSubmission): Promise<Submitted>;
  /** Cancels orders; returns the results of the trader's own ones. */
  cancel(
    market: Market,
    trader: Trader,
    orderIds: readonly string[],
  ): Promise<Map<string, CancelResult>>;
  redeem(request: RedeemRequest): Promise<RedeemResult>;
  /** Lets the trader's wallet approve the market's exchange for USDC and shares, or revoke both. */
  approve(trader: Trader, market: Market, isApproved: boolean): Promise<void>;
  /** Advances the time until the market is closed and resolved. */
  resolve(market: Market): Promise<void>;
  readFunds(trader: Trader, asset: string): Promise<{ available: bigint; held: bigint }>;
  /** Whether immediate fills of an order are one fill at the average price. */
  readonly groupsMakers: boolean;
  /** Returns the order's current state in the terms that all venues share. */
  readOrder(orderId: string): Promise<{ row: OrderRow; fills: FillRow[]; events: string[] }>;
  /** The order's hold: filled, released and still held. */
  readMoney(orderId: string): Promise<OrderMoney>;
  /** Counts and sums of all state that a refused request must not change. */
  readTotals(): Promise<Record<string, string>>;
}

export interface Submitted {
  orderId: string;
  result: SubmitResult;
}

/** A market, a taker, and a maker whose orders rest, best price first. */
export interface Scene {
  market: Market;
  taker: Trader;
  maker: Trader;
  /** Unused prices of the taker's token; index 0 is the best for the taker. */
  own(index: number): Price;
  /** Places an order of the maker (or another trader) that the taker meets at `own(index)`. */
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
  const side = toBookSide(action, outcome);
  const inside = await insidePrices(harness, market);
  const prices = side === "bid" ? inside : inside.toReversed();
  const own = (index: number) => toBookPrice(outcome, at(prices, index));
  if (action === "SELL") await giveShares(harness, { market, to: taker, outcome, from: maker });
  // The other side buys the other token, or sells the taker's token.
  const makerOutcome: OutcomeIndex = side === "bid" ? 1 : 0;
  return {
    market,
    taker,
    maker,
    own,
    rest: async (index, size, trader = maker) => {
      const limit = toBookPrice(makerOutcome, at(prices, index));
      const intent = createLimitOrder("BUY", limit, size);
      const { orderId } = await submit(harness, { trader, market, outcome: makerOutcome, intent });
      return orderId;
    },
    take: (intent, orderId) => submit(harness, { trader: taker, market, outcome, intent, orderId }),
    estimate: (intent) =>
      venue.estimateOrder(createSubmission({ trader: taker, market, outcome, intent })),
    limitOrder: (index, size) => createLimitOrder(action, own(index), size),
    marketOrder: (size, worst) => ({
      type: "market",
      action,
      worstPrice: worst === null ? null : own(worst),
      shares: size,
      amount: null,
    }),
  };
}

export function createLimitOrder(action: Action, at_: Price, size: Shares): OrderIntent {
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

export function submit(harness: VenueHarness, submission: Submission): Promise<Submitted> {
  return harness.submit(createSubmission(submission));
}

function createSubmission(submission: Submission): OrderSubmission {
  const { trader, market, outcome, intent, conditions, orderId } = submission;
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
    simulatedFault: null,
    canAskOwner: false,
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
  const give = createLimitOrder("BUY", toBookPrice(outcome, first), PLENTY);
  const keep = createLimitOrder("BUY", toBookPrice(other, first), PLENTY);
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
