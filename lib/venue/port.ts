import type { Tx } from "@/lib/db/database";
import type { Book } from "@/lib/domain/matching";
import type { Quote } from "@/lib/domain/mark-price";
import type { OrderIntent } from "@/lib/domain/order-intent";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { Refusal } from "@/lib/domain/funding";
import type { Price, Shares, Usdc } from "@/lib/units";

export type Mode = "paper" | "live";

export interface Outcome {
  name: string;
  tokenId: string;
}

export type MarketStatus = "open" | "closed" | "resolved";

/** A market as every venue describes it. Instants are milliseconds since the epoch. */
export interface Market {
  /** The condition id. */
  id: string;
  slug: string;
  title: string;
  eventSlug: string;
  eventTitle: string;
  /** What tells it from the other markets of its event, such as "Harbour City"; null when alone. */
  label: string | null;
  category: string;
  rules: string;
  resolutionSource: string;
  /** File name of the icon under /icons. */
  icon: string;
  outcomes: readonly [Outcome, Outcome];
  tick: Price;
  minOrderShares: Shares;
  minBuyAmount: Usdc;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
  isNegRisk: boolean;
  /** Ranks markets where nothing else does; higher comes first. */
  popularity: number;
  opensAt: number;
  closesAt: number;
  resolvesAt: number;
}

export interface MarketState {
  status: MarketStatus;
  /** Set once resolved. */
  winner: OutcomeIndex | null;
}

export interface PricePoint {
  at: number;
  price: Price;
}

/** A failure rehearsed with `X-Rehearse` on the paper venue that changes what the venue does. */
export type VenueRehearsal = "delayed" | null;

/** What an order asks beyond its type: a limit order is good till canceled, a market order fill and kill. */
export interface OrderConditions {
  /** A market order that cannot fill in full at once is refused, and nothing trades. */
  isFillOrKill: boolean;
  /** A limit order that would trade at once is refused. */
  isPostOnly: boolean;
  /** When what rests of a limit order ends; null is never. Milliseconds since the epoch. */
  expiresAt: number | null;
}

export const NO_CONDITIONS: OrderConditions = {
  isFillOrKill: false,
  isPostOnly: false,
  expiresAt: null,
};

export interface OrderSubmission {
  orderId: string;
  userId: string;
  keyId: string | null;
  market: Market;
  outcome: OutcomeIndex;
  intent: OrderIntent;
  conditions: OrderConditions;
  idempotencyKey: string;
  receivedAt: number;
  rehearsal: VenueRehearsal;
}

export type SubmitResult =
  | {
      outcome: "accepted";
      status: "open" | "filled" | "canceled" | "delayed";
      filledShares: Shares;
    }
  | ({ outcome: "rejected" } & Refusal);

export type CancelResult =
  | { outcome: "canceled" }
  /** It was canceled before. */
  | { outcome: "already_canceled" }
  /** It had reached another final state, possibly while this request was on its way. */
  | { outcome: "final"; status: OrderStatus };

/** Orders of one user in one market that are to be canceled together. */
export interface CancelRequest {
  market: Market;
  orderIds: readonly string[];
  userId: string;
  keyId: string | null;
}

/** What an order would do to the book now, in its own token's prices. */
export interface OrderEstimate {
  filledShares: Shares;
  notional: Usdc;
  fee: Usdc;
  /** Worst price at which part of it would fill; null when nothing would. */
  worstFillPrice: Price | null;
  /** The limit it would carry: the caller's, or the one chosen for a market order. */
  limit: Price | null;
  restingShares: Shares;
  /** USDC for a BUY, shares for a SELL, that must be available. */
  hold: bigint;
  refusal: Refusal | null;
}

export interface RedeemRequest {
  userId: string;
  market: Market;
  outcome: OutcomeIndex;
}

export type RedeemResult =
  | { outcome: "redeemed"; shares: Shares; payout: Usdc }
  | { outcome: "nothing_held" }
  | { outcome: "not_resolved" };

/** A place where orders trade. The paper exchange and Polymarket answer to the same contract. */
export interface Venue {
  readonly mode: Mode;
  /** The venue's own time: the paper exchange's can be frozen. */
  now(): number;
  /** Everything that is listed now, open or not long closed. */
  listMarkets(): Promise<readonly Market[]>;
  findMarket(idOrSlug: string): Promise<Market | null>;
  findMarketByToken(tokenId: string): Promise<{ market: Market; outcome: OutcomeIndex } | null>;
  /** Markets that orders or positions refer to, by id. */
  getMarkets(ids: readonly string[]): Promise<Map<string, Market>>;
  getState(market: Market): MarketState;
  getBook(market: Market): Promise<Book>;
  /** Quotes in prices of the first token, by market id. */
  getQuotes(markets: readonly Market[]): Promise<Map<string, Quote>>;
  getHistory(market: Market, from: number, to: number, stepMs: number): PricePoint[];
  /** Matches and settles inside `tx`; the caller's claim on the key commits with it. */
  submitOrder(tx: Tx, submission: OrderSubmission): Promise<SubmitResult>;
  estimateOrder(submission: OrderSubmission): Promise<OrderEstimate>;
  /** What became of each order, by id. Orders of others are not touched. */
  cancelOrders(tx: Tx, request: CancelRequest): Promise<Map<string, CancelResult>>;
  /** Pays out a position of a resolved market and closes it. */
  redeemPosition(tx: Tx, request: RedeemRequest): Promise<RedeemResult>;
}
