import type { Tx } from "@/lib/db/database";
import type { Book } from "@/lib/domain/matching";
import type { Quote } from "@/lib/domain/mark-price";
import type { OrderIntent } from "@/lib/domain/order-intent";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { Refusal } from "@/lib/domain/funding";
import type { Price, Shares, Usdc } from "@/lib/units";
import type { OrderKey } from "@/lib/venue/order-key";
import type { ClobCredentials, OwnershipProof, StreamNews, Trader } from "@/lib/venue/trader";

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

/** What every venue tells about its markets. */
export interface MarketSource {
  readonly mode: Mode;
  /** The venue's own time: the paper exchange's can be frozen. */
  now(): number;
  /** Everything that is listed now, open or not long closed. */
  listMarkets(): Promise<readonly Market[]>;
  /** Markets that meet a search, or are of an event, and need not be listed; none where all are. */
  findUnlisted(by: "search" | "event", text: string): Promise<readonly Market[]>;
  findMarket(idOrSlug: string): Promise<Market | null>;
  findMarketByToken(tokenId: string): Promise<{ market: Market; outcome: OutcomeIndex } | null>;
  /** Markets that orders or positions refer to, by id. */
  getMarkets(ids: readonly string[]): Promise<Map<string, Market>>;
  getState(market: Market): MarketState;
  getBook(market: Market): Promise<Book>;
  /** Quotes in prices of the first token, by market id. */
  getQuotes(markets: readonly Market[]): Promise<Map<string, Quote>>;
  getHistory(market: Market, from: number, to: number, stepMs: number): Promise<PricePoint[]>;
  /** Prices of the first token at a past instant, by market id; markets without one are left out. */
  getPastPrices(markets: readonly Market[], at: number): Promise<Map<string, Price>>;
  estimateOrder(submission: OrderSubmission): Promise<OrderEstimate>;
}

/** A venue inside the service: it matches and settles in the caller's own transaction. */
export interface EmbeddedVenue extends MarketSource {
  readonly kind: "embedded";
  /** Fetches before the transaction what it needs from a network. Throws the 502 that says why not. */
  prepareOrder(market: Market): Promise<void>;
  /** All inside `tx`: claims the key, matches, settles, answers. Null when it was claimed before. */
  submitOrder(
    tx: Tx,
    submission: OrderSubmission,
    key: OrderKey<SubmitResult>,
  ): Promise<SubmitResult | null>;
  /** What became of each order, by id. Orders of others are not touched. */
  cancelOrders(tx: Tx, request: CancelRequest): Promise<Map<string, CancelResult>>;
  /** Pays out a position of a resolved market and closes it. */
  redeemPosition(tx: Tx, request: RedeemRequest): Promise<RedeemResult>;
}

/**
 * A venue on the other side of a network, where answers get lost. It only signs and talks: what was
 * sent and what came of it is remembered by the services (architecture.md 4).
 */
export interface RemoteVenue extends MarketSource {
  readonly kind: "remote";
  /** The owner's API credentials at the venue. Asking again gives the same. */
  obtainCredentials(proof: OwnershipProof): Promise<ClobCredentials>;
  /** Builds and signs an order. Nothing is sent. Throws when what would be signed is not what was asked. */
  signOrder(trader: Trader, submission: OrderSubmission): Promise<SignedOrder>;
  /** Sends the stored bytes once. Never throws for what the network or the venue does. */
  postOrder(trader: Trader, order: PostableOrder): Promise<PostResult>;
  /** Asks once to cancel an order. Never throws for what the network or the venue does. */
  cancelOrder(trader: Trader, venueOrderId: string): Promise<RemoteCancel>;
  /** Null when the venue knows no such order, which proves nothing about orders of the past. */
  findOrder(trader: Trader, venueOrderId: string): Promise<VenueOrder | null>;
  /** Every open order of the trader, all pages. */
  listOpenOrders(trader: Trader): Promise<VenueOrder[]>;
  /** Every trade of the trader that happened or changed since an instant, all pages. */
  listTrades(trader: Trader, since: number): Promise<VenueTrade[]>;
  /** The trades of one order by their ids; those that are not visible yet are left out. */
  getTrades(trader: Trader, ids: readonly string[]): Promise<VenueTrade[]>;
  /** Base units of USDC owned, and what the exchanges may spend of it; null while unknown. */
  getCash(trader: Trader): Promise<{ balance: Usdc; allowance: bigint | null }>;
  getHoldings(trader: Trader): Promise<VenueHolding[]>;
  /** Calls back whenever the venue tells of a change; returns a function that ends it. */
  openUserStream(trader: Trader, onNews: (news: StreamNews) => void): () => void;
  /** Realized and unrealized, over the wallet's life. */
  getTotalPnl(trader: Trader): Promise<Usdc>;
}

/** A place where orders trade. Both kinds answer to the same contract suite. */
export type Venue = EmbeddedVenue | RemoteVenue;

/** What is needed to post a signed order, the first time and again. */
export interface PostableOrder {
  /** The hash of what was signed, which becomes the venue's id of the order. */
  venueOrderId: string;
  /** The exact bytes to post. */
  body: string;
  action: Action;
}

export interface SignedOrder extends PostableOrder {
  orderType: "GTC" | "GTD" | "FOK" | "FAK";
  /** The limit it carries in its own token's prices. */
  limit: Price;
  /** The most it may cost: USDC with the worst fee for a BUY, shares for a SELL. */
  hold: bigint;
  /** What is not taken at once must be canceled: the venue has no market order for exact shares. */
  endsAtOnce: boolean;
}

export type PostResult =
  | {
      outcome: "accepted";
      status: "open" | "matched" | "delayed";
      /** What traded at once, in the order's own terms. */
      filledShares: Shares;
      filledNotional: Usdc;
      tradeIds: readonly string[];
    }
  /** The venue has refused this very order for good; nothing of it will trade. */
  | ({ outcome: "rejected" } & Refusal)
  /** The venue has seen this order before: an earlier post arrived. */
  | { outcome: "duplicate" }
  /** The venue says that it did not look at the order; the same bytes may be sent again. */
  | ({ outcome: "not_placed"; retryAfterMs: number } & Refusal)
  /** Nobody can tell whether it arrived. */
  | ({ outcome: "unknown" } & Refusal);

export type RemoteCancel =
  | { outcome: "canceled" }
  /** Filled, canceled or never known: only the order itself can tell. */
  | { outcome: "not_open" }
  | ({ outcome: "unknown" } & Refusal);

/** An order as the venue shows it. */
export interface VenueOrder {
  venueOrderId: string;
  status: "open" | "delayed" | "matched" | "canceled" | "rejected";
  /** Shares that matched, settled or not. */
  matchedShares: Shares;
  tradeIds: readonly string[];
}

/** One trader's part in a trade. */
export interface VenueTrade {
  tradeId: string;
  /** The trader's own order: the taker's, or one of the makers'. */
  venueOrderId: string;
  role: "maker" | "taker";
  settlement: "matched" | "mined" | "confirmed" | "failed";
  price: Price;
  shares: Shares;
  transactionHash: string | null;
  matchedAt: number;
}

/** A position as the venue values it. */
export interface VenueHolding {
  tokenId: string;
  marketId: string;
  marketTitle: string;
  marketSlug: string;
  outcome: string;
  shares: Shares;
  averagePrice: Price;
  currentPrice: Price;
  value: Usdc;
  pnl: Usdc;
  /** Percent in micro-units: 12_500_000n is 12.5 %. */
  pnlPercentMicro: bigint;
  isNegRisk: boolean;
  isRedeemable: boolean;
}
