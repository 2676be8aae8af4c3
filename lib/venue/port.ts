import type { BuilderFees } from "@/lib/domain/fees";
import type { Tx } from "@/lib/db/database";
import type { CancelRecord, PlacementRecord } from "@/lib/db/placement-record";
import type { OrderRow } from "@/lib/db/rows";
import type { Approvals } from "@/lib/domain/allowance";
import type { Book, RestingOrder } from "@/lib/domain/matching";
import type { Quote } from "@/lib/domain/mark-price";
import type { SimulatedSettlement } from "@/lib/domain/simulated-settlement";
import type { OrderIntent } from "@/lib/domain/order-intent";
import type { OrderStatus } from "@/lib/domain/order-status";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { TradePart } from "@/lib/domain/trade-parts";
import type { Refusal } from "@/lib/domain/funding";
import type { Price, Shares, Usdc } from "@/lib/units";
import type { Protocol } from "@/lib/domain/protocol";
import type {
  ClobCredentials,
  OwnershipProof,
  UserStreamEvent,
  Trader,
  UserStream,
} from "@/lib/venue/trader";

export type Mode = "paper" | "live";

export interface Outcome {
  name: string;
  tokenId: string;
}

export type MarketStatus = "open" | "closed" | "resolved";

/** A remote venue's own figures of a market; null where it gives none. */
export interface VenueFigures {
  /** What traded so far, and in the last 24 hours. */
  volume: Usdc | null;
  dayVolume: Usdc | null;
  /** The money that rests in the book. */
  liquidity: Usdc | null;
}

export const NO_FIGURES: VenueFigures = { volume: null, dayVolume: null, liquidity: null };

/** A market as every venue describes it. Instants are milliseconds since the epoch. */
export interface Market {
  /** The condition id. */
  id: string;
  slug: string;
  title: string;
  eventSlug: string;
  eventTitle: string;
  /** The series of events that ask the same for different times; null if the venue names none. */
  series: string | null;
  /** Short name within its event, such as "Harbour City"; null if it is the only market. */
  label: string | null;
  category: string;
  rules: string;
  resolutionSource: string;
  /** File name of the icon under /icons. */
  icon: string;
  outcomes: readonly [Outcome, Outcome];
  /**
   * Why Ante accepts no orders for the market, as a sentence for users; null if it can be traded. An
   * untradable market is shown, but it has no quotes and its state is never open.
   */
  untradable: string | null;
  tick: Price;
  minOrderShares: Shares;
  minBuyAmount: Usdc;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
  isNegRisk: boolean;
  /** The protocol of its tokens. `chooseExchange` names the exchange that it decides. */
  protocol: Protocol;
  /** Default rank of markets; higher comes first. */
  popularity: number;
  /** Null for a market of the paper exchange, whose figures this service computes. */
  figures: VenueFigures | null;
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

/** A fault of `X-Rehearse` that the paper exchange itself simulates. */
export type SimulatedFault = "delayed" | SimulatedSettlement | null;

/** Options of an order. Without them, a limit order is GTC and a market order is FAK. */
export interface OrderConditions {
  /** Rejects a market order that cannot fill in full immediately. */
  isFillOrKill: boolean;
  /** Rejects a limit order that would trade immediately. */
  isPostOnly: boolean;
  /** When a resting limit order expires, in milliseconds since the epoch; null for never. */
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
  requestId?: string | null | undefined;
  market: Market;
  outcome: OutcomeIndex;
  intent: OrderIntent;
  conditions: OrderConditions;
  /** Set for a limit order that may not rest (FOK, FAK): its intent is that of a market order. */
  requestedType?: "limit" | undefined;
  idempotencyKey: string;
  receivedAt: number;
  simulatedFault: SimulatedFault;
  /** The builder code in an order of the sandbox, with its fees now. A live order gets its own when signed. */
  builder?: Builder | null | undefined;
  /** Whether limits may make it wait for the owner's approval: it was placed with an API key of Ante. */
  canAskOwner: boolean;
}

export type SubmitResult =
  | {
      outcome: "accepted";
      status: "open" | "filled" | "canceled" | "delayed" | "pending_approval";
      filledShares: Shares;
    }
  | ({ outcome: "rejected" } & Refusal);

export type CancelResult =
  | { outcome: "canceled" }
  /** The order was already canceled. */
  | { outcome: "already_canceled" }
  /** The order reached another final state, possibly during this request. */
  | { outcome: "final"; status: OrderStatus };

/**
 * Why an order got no approval. Only an order that still waits for it ends so: declined as canceled, too
 * late as expired.
 */
export type ApprovalEnd = "declined" | "approval_expired";

/** Orders of one user to cancel, in any markets. */
export interface CancelRequest {
  orders: readonly { id: string; marketId: string }[];
  userId: string;
  keyId: string | null;
  requestId?: string | null | undefined;
  /** Why, in the order's history; "requested" by default. */
  reason?: "requested" | "frozen" | "by_venue" | ApprovalEnd | undefined;
  /** A statement to run in the transaction that cancels the order; not if the order ended otherwise. */
  recordCancel?: CancelRecord | undefined;
}

/** The estimated execution of an order now, in its own token's prices. */
export interface OrderEstimate {
  filledShares: Shares;
  notional: Usdc;
  /** With the builder's fee. */
  fee: Usdc;
  /** The builder's part of the fee; null without a builder code. */
  builderFee: Usdc | null;
  /** Worst price of the estimated fills; null if nothing would fill. */
  worstFillPrice: Price | null;
  /** The order's limit: the caller's, or the one computed for a market order. */
  limit: Price | null;
  /** The middle of the book; null if a side is empty. */
  mid: Price | null;
  restingShares: Shares;
  /** USDC for a BUY, shares for a SELL, that must be available. */
  hold: bigint;
  /** What it holds if it trades at a later time, with another book. */
  laterHold: bigint;
  refusal: Refusal | null;
}

/** An approval of an order by its owner. */
export interface Approval {
  orderId: string;
  userId: string;
  requestId?: string | null | undefined;
  marketId: string;
  /** Throws if the order may not go on. Runs in the transaction that lets it go on, which has locked it. */
  admit: (tx: Tx, order: OrderRow) => Promise<void>;
}

export interface RedeemRequest {
  userId: string;
  keyId?: string | null | undefined;
  requestId?: string | null | undefined;
  market: Market;
  outcome: OutcomeIndex;
}

export type RedeemResult =
  | { outcome: "redeemed"; shares: Shares; payout: Usdc }
  | { outcome: "nothing_held" }
  | { outcome: "not_resolved" }
  | Forbidden;

/** The owner's limits or a freeze forbid it. */
interface Forbidden {
  outcome: "forbidden";
  refusal: Refusal;
}

/** A change of a wallet's positions that is no trade. A pair of shares, one per outcome, is worth 1 USDC. */
export type PositionChange =
  | { kind: "split" | "merge"; market: Market; shares: Shares }
  /** Without `shares`, pays whatever the wallet holds of the outcome. Otherwise it must hold as many. */
  | { kind: "redeem"; market: Market; outcome: OutcomeIndex; shares: Shares | null };

/** Changes that are made together or not at all. */
export interface PositionChangeRequest {
  /** Names them in the ledger, which refuses a second time. */
  id: string;
  userId: string;
  keyId?: string | null | undefined;
  requestId?: string | null | undefined;
  changes: readonly PositionChange[];
  /** Runs in their transaction, under its locks. If it returns false, nothing is changed. */
  admit: (tx: Tx) => Promise<boolean>;
  /** Runs last in their transaction. */
  record: (tx: Tx) => Promise<void>;
}

/** Why a change of positions cannot be made. */
export type PositionRefusal =
  "insufficient_cash" | "insufficient_shares" | "not_resolved" | "resolved";

export type PositionChangeResult =
  | { outcome: "changed" }
  | { outcome: "not_admitted" }
  | { outcome: "refused"; index: number; reason: PositionRefusal }
  | Forbidden;

/** The market data of a venue. */
export interface MarketSource {
  readonly mode: Mode;
  /** The venue's time; the paper exchange's clock can be frozen. */
  now(): number;
  /** All listed markets: open ones and recently closed ones. */
  listMarkets(): Promise<readonly Market[]>;
  /** Unlisted markets that match a search or belong to an event; empty if the venue lists all. */
  findUnlisted(by: "search" | "event", text: string): Promise<readonly Market[]>;
  findMarket(idOrSlug: string): Promise<Market | null>;
  findMarketByToken(tokenId: string): Promise<{ market: Market; outcome: OutcomeIndex } | null>;
  /** The markets of orders or positions, by id. */
  getMarkets(ids: readonly string[]): Promise<Map<string, Market>>;
  getState(market: Market): MarketState;
  /** The book, one `house` level per price, with at least the best `BOOK_DEPTH` levels per side. */
  getBook(market: Market): Promise<Book>;
  /** The money of all resting orders, by market id; markets without a figure are left out. */
  getLiquidity(markets: readonly Market[]): Promise<ReadonlyMap<string, Usdc>>;
  /** Quotes in prices of the first token, by market id. */
  getQuotes(markets: readonly Market[], maxAgeMs?: number): Promise<Map<string, Quote>>;
  getHistory(market: Market, from: number, to: number, stepMs: number): Promise<PricePoint[]>;
  /** Prices of the first token at a past time, by market id; markets without one are left out. */
  getPastPrices(markets: readonly Market[], at: number): Promise<Map<string, Price>>;
  /** @param own the account's orders in a remote book, which can't fill its new order. The paper exchange knows them. */
  estimateOrder(submission: OrderSubmission, own?: readonly RestingOrder[]): Promise<OrderEstimate>;
}

/** A venue inside of the service. It matches and settles in its own transactions. */
export interface EmbeddedVenue extends MarketSource {
  readonly kind: "embedded";
  /** Fetches the network data that the transaction needs. Throws a 502 if that fails. */
  prepareOrder(market: Market): Promise<void>;
  /** Matches and settles in one transaction with the caller's record. Null if its claim is taken. */
  submitOrder(
    submission: OrderSubmission,
    record: PlacementRecord<SubmitResult>,
  ): Promise<SubmitResult | null>;
  /**
   * Lets an order go on that waits for its owner's approval, and matches it. Changes nothing if
   * `admit` throws.
   */
  approveOrder(approval: Approval): Promise<void>;
  /** Cancels orders in batches; returns the result by order id. Ignores other users' orders. */
  cancelOrders(request: CancelRequest): Promise<Map<string, CancelResult>>;
  /** Pays out and closes a position of a resolved market. */
  redeemPosition(request: RedeemRequest): Promise<RedeemResult>;
  /** Splits, merges and redeems: all of the changes, or none. */
  changePositions(request: PositionChangeRequest): Promise<PositionChangeResult>;
}

/**
 * A venue behind a network, where responses get lost. The adapter only signs and sends. The services
 * store what was sent and its outcome (architecture.md 4).
 */
export interface RemoteVenue extends MarketSource {
  readonly kind: "remote";
  /** Returns the owner's API credentials at the venue; repeated calls return the same ones. */
  obtainCredentials(proof: OwnershipProof): Promise<ClobCredentials>;
  /** The builder code that orders carry, with its fees; null if the operator set none. */
  getBuilder(): Promise<Builder | null>;
  /** Builds and signs an order without sending it. Throws if the order would differ from the request. */
  signOrder(trader: Trader, submission: OrderSubmission): Promise<SignedOrder>;
  /** Sends the stored bytes once. Never throws on network or venue errors. */
  postOrder(trader: Trader, order: PostableOrder, permission: Permission): Promise<PostResult>;
  /** Sends one cancel for an order. Never throws on network or venue errors. */
  cancelOrder(trader: Trader, venueOrderId: string): Promise<RemoteCancel>;
  /**
   * Sends one cancel for several orders. Returns the outcome of the orders that the response names.
   * Never throws on network or venue errors.
   */
  cancelOrders(
    trader: Trader,
    venueOrderIds: readonly string[],
    timeoutMs: number,
  ): Promise<ReadonlyMap<string, RemoteCancel["outcome"]>>;
  /**
   * Sends one cancel for all orders of the wallet, or of one market, including orders placed by other
   * programs. Returns the canceled ids; null if the venue did not confirm. Never throws on network or
   * venue errors.
   */
  cancelAll(
    trader: Trader,
    marketId: string | null,
    timeoutMs: number,
  ): Promise<ReadonlySet<string> | null>;
  /** Queries an order. Null if the venue does not know it, which proves nothing about past orders. */
  findOrder(trader: Trader, venueOrderId: string): Promise<VenueOrder | null>;
  /** Lists every open order of the trader, all pages. */
  listOpenOrders(trader: Trader): Promise<VenueOrder[]>;
  /** Lists every trade of the trader that happened or changed since a time, all pages. */
  listTrades(trader: Trader, since: number): Promise<VenueTrade[]>;
  /** Reads trades by id; trades that are not listed yet are left out. */
  getTrades(trader: Trader, ids: readonly string[]): Promise<VenueTrade[]>;
  /** The USDC balance in base units, and the allowances of the exchanges. */
  getCash(trader: Trader): Promise<{ balance: Usdc; approvals: Approvals }>;
  /**
   * The shares of a token that the market's exchange may move, in base units: all or none of them, as the
   * wallet approves it. Null while the venue does not say it.
   */
  getShareAllowance(trader: Trader, market: Market, tokenId: string): Promise<bigint | null>;
  /**
   * Makes the venue read the wallet's USDC and these tokens from the chain again. It keeps what it read,
   * and refuses orders by it.
   */
  refreshBalances(trader: Trader, tokenIds: readonly string[], protocol: Protocol): Promise<void>;
  getHoldings(trader: Trader): Promise<VenueHolding[]>;
  /** Opens the user stream of the trader and calls back for each event. */
  openUserStream(trader: Trader, onEvent: (event: UserStreamEvent) => void): UserStream;
  /** Whether the host for orders responds within two seconds. */
  isAnswering(): Promise<boolean>;
  /**
   * Compares the venue's responses with the contract that the adapter knows. With a trader, also
   * checks an order of its account. Never throws on network or venue errors.
   */
  checkContract(trader: Trader | null): Promise<ContractCheck[]>;
  /** Realized and unrealized profit since the wallet was created. */
  getTotalPnl(trader: Trader): Promise<Usdc>;
}

/** The result for one part of the venue's contract. */
export interface ContractCheck {
  part: "version" | "market" | "book" | "order";
  outcome: "known" | "differs" | "no_answer" | "not_checked";
  detail: string;
}

/** A place where orders trade. Both kinds pass the same contract tests. */
export type Venue = EmbeddedVenue | RemoteVenue;

/** A time limit for sending. It is checked as late as possible, once a connection exists. */
export interface Permission {
  /** Milliseconds left; at zero or less, nothing may be sent. */
  readonly leftMs: number;
}

/** The data to post a signed order, the first time and again. */
export interface PostableOrder {
  /** The hash of the signed order, which becomes its id at the venue. */
  venueOrderId: string;
  /** The exact bytes to post. */
  body: string;
  action: Action;
}

/** A code that attributes orders to the operator of this service, with the fees of their fills. */
export interface Builder extends BuilderFees {
  /** 32 bytes as hex. */
  code: string;
}

export interface SignedOrder extends PostableOrder {
  /** The builder code in the signed order, with its fees when it was signed. */
  builder: Builder | null;
  orderType: "GTC" | "GTD" | "FOK" | "FAK";
  /** The limit, in its own token's prices. */
  limit: Price;
  /** The maximum cost: USDC with the worst fee for a BUY, shares for a SELL. */
  hold: bigint;
  /** The remainder must be canceled: the venue has no market buy for exact shares. */
  endsAtOnce: boolean;
}

export type PostResult =
  | {
      outcome: "accepted";
      status: "open" | "matched" | "delayed";
      /** Shares and cash that traded immediately, in the order's terms. */
      filledShares: Shares;
      filledNotional: Usdc;
      tradeIds: readonly string[];
    }
  /**
   * The venue rejected this order for good; it will never trade. With `isContractChange`, because it no
   * longer takes orders of the kind that the adapter signs.
   */
  | ({ outcome: "rejected"; isContractChange?: boolean } & Refusal)
  /** The permission ended before the first byte was sent: nothing was sent. */
  | { outcome: "not_sent" }
  /** The venue already has this order: an earlier post arrived. */
  | { outcome: "duplicate" }
  /** The venue did not process the order; the same bytes may be sent again. */
  | ({ outcome: "not_placed"; retryAfterMs: number } & Refusal)
  /** A firewall in front of the venue responded. The outcome is unknown; do not post again for now. */
  | ({ outcome: "blocked" } & Refusal)
  /** Whether the post arrived is unknown. */
  | ({ outcome: "unknown" } & Refusal);

export type RemoteCancel =
  | { outcome: "canceled" }
  /** The order is filled, canceled or unknown. Query the order to find out. */
  | { outcome: "not_open" }
  | ({ outcome: "unknown" } & Refusal);

/** An order as the venue reports it. */
export interface VenueOrder {
  venueOrderId: string;
  status: "open" | "delayed" | "matched" | "canceled" | "rejected";
  /** Shares that matched, settled or not. */
  matchedShares: Shares;
  tradeIds: readonly string[];
  /** Wallet of the order, in lower case; null if the venue does not report it. */
  wallet: string | null;
  /** Terms of the order; null if the venue does not report all of them. */
  details: VenueOrderDetails | null;
}

/** Terms of an order as the venue reports them, to adopt an external order. */
export interface VenueOrderDetails {
  marketId: string;
  tokenId: string;
  action: Action;
  orderType: SignedOrder["orderType"];
  price: Price | null;
  shares: Shares | null;
  amount: Usdc | null;
  /** Milliseconds since the epoch; null if the venue does not report it. */
  createdAt: number | null;
  expiresAt: number | null;
}

/** One trader's part in a trade. */
export interface VenueTrade {
  tradeId: string;
  /** The trader's order: the taker's, or one of the makers'. */
  venueOrderId: string;
  role: "maker" | "taker";
  settlement: "matched" | "mined" | "confirmed" | "failed";
  /** The order's part of the trade; empty while the venue's figures contradict each other. */
  parts: readonly TradePart[];
  /** Wallet of the order, in lower case; null if the venue does not report it. */
  wallet: string | null;
  /** Terms of the order; null if the venue does not report all of them. */
  terms: { marketId: string; tokenId: string; action: Action } | null;
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
