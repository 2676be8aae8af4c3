import type { Budget } from "@/lib/domain/matching";
import type { Action } from "@/lib/domain/settlement";
import type { OutcomeBook } from "@/lib/domain/ticket/book";
import type { Price, Shares, Usdc } from "@/lib/units";

/** What a market demands of orders. */
export interface TicketRules {
  tick: Price;
  minOrderShares: Shares;
  minBuyAmount: Usdc;
  /** Micro-units: 70_000n is 0.07. */
  feeRate: bigint;
}

/** What the account brings to an order for one outcome. */
export interface TicketFunds {
  available: Usdc;
  /** What the exchange may spend beyond what it has reserved; null while unknown. */
  approved: Usdc | null;
  free: Shares;
  /** Shares that open sells hold. */
  reserved: Shares;
  /** Average entry price; null when nothing is held. */
  averageEntry: Price | null;
}

export interface TicketContext {
  rules: TicketRules;
  isAccepting: boolean;
  /** The chosen outcome's book; null when there is none. */
  book: OutcomeBook | null;
  /** Whether the book is too old to trade on. */
  isBookDead: boolean;
  /** Null while the balance is being loaded. */
  funds: TicketFunds | null;
  /** How far from the best price a market order may fill. */
  protection: Price;
}

/** An order that is complete and in order, as far as the ticket can know. */
export interface TicketOrder {
  action: Action;
  type: "market" | "limit";
  budget: Budget;
  /** The limit; of a market order, the worst price it takes. */
  limit: Price;
}
