import type { BuilderFees } from "@/lib/domain/fees";
import type { Budget } from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import type { TimeInForce } from "@/lib/domain/time-in-force";
import type { OutcomeBook } from "@/lib/domain/ticket/book";
import type { Price, Shares, Usdc } from "@/lib/units";

/** A market's rules for orders. */
export interface TicketRules {
  tick: Price;
  minOrderShares: Shares;
  minBuyAmount: Usdc;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
  /** The fees of the service's builder code; missing without one. */
  builderFees?: BuilderFees | undefined;
  /** Whether the venue reserves a fee for the resting part too. Polymarket does. */
  holdsFeeForRest: boolean;
  /** How far ahead an expiry must be, in milliseconds. */
  minLifeMs: number;
  /** Whether a buy that is sized in shares can be fill-or-kill. Polymarket's can't. */
  takesFokOfShares: boolean;
}

/** The account's funds for an order in one outcome. */
export interface TicketFunds {
  available: Usdc;
  /** The exchange's unreserved allowance; null while unknown. */
  approved: Usdc | null;
  free: Shares;
  /** Shares that open sells reserve. */
  reserved: Shares;
  /** Average entry price; null without shares. */
  averageEntry: Price | null;
}

export interface TicketContext {
  rules: TicketRules;
  isAccepting: boolean;
  /** Whether the account is frozen. */
  isFrozen: boolean;
  /** The chosen outcome's book; null if it could not be loaded. */
  book: OutcomeBook | null;
  /** Whether the book is too old to trade on. */
  isBookDead: boolean;
  /** Null while the balance is being loaded. */
  funds: TicketFunds | null;
  /** How far from the best price a market order can fill. */
  protection: Price;
  /** The user's time zone, in which expiries are typed. */
  zone: string;
  /** In milliseconds since the epoch. */
  now: number;
}

/** An order whose fields are complete and valid. */
export interface TicketOrder {
  action: Action;
  type: "market" | "limit";
  budget: Budget;
  /** The limit price, or the worst price of a market order. */
  limit: Price;
  options: OrderOptions;
}

/** How long an order stays open, and whether it can fill immediately. */
export interface OrderOptions {
  timeInForce: TimeInForce;
  /** ISO 8601; null without an expiry, and for one that can't be parsed. */
  expiresAt: string | null;
  postOnly: boolean;
}
