import { microOf, mirrorBook, readBook } from "@/lib/domain/ticket/book";
import type { TicketContext, TicketFunds, TicketRules } from "@/lib/domain/ticket/context";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { price, shares, usdc } from "@/lib/units";

interface WireMarket {
  status: string;
  tickSize: string;
  minOrderShares: number;
  minMarketBuy: number;
  feeRate: number;
}

interface WireHolding {
  freeShares: number;
  reservedShares: number;
  avgPrice: number | null;
}

interface WireAccount {
  marketStatus: string;
  availableUsdc: number;
  approvedUsdc: number | null;
  holdings: readonly [WireHolding, WireHolding];
}

interface WireBook {
  bids: readonly { price: number; shares: number }[];
  asks: readonly { price: number; shares: number }[];
  tickSize: string;
}

/** Everything a ticket is judged by, as the dashboard's own reads send it. */
export interface TicketFacts {
  market: WireMarket;
  /** The book of the market's first outcome; null when it could not be read. */
  book: WireBook | null;
  isBookDead: boolean;
  account: WireAccount | null;
  /** How far a market order may go from the best price, in cents. */
  protectionCents: number;
}

const CENT = 10_000n;

/** The facts in the terms of one outcome. */
export function contextOf(facts: TicketFacts, outcome: OutcomeIndex): TicketContext {
  const { market, book, account } = facts;
  const first = book ? readBook(book) : null;
  return {
    rules: rulesOf(market, book?.tickSize ?? market.tickSize),
    // The account is read again and again, the market once.
    isAccepting: (account?.marketStatus ?? market.status) === "open",
    book: first && outcome === 1 ? mirrorBook(first) : first,
    isBookDead: facts.isBookDead,
    funds: account ? fundsOf(account, outcome) : null,
    protection: price(BigInt(facts.protectionCents) * CENT),
  };
}

/** The book says the tick as it is now: a market's tick can change while it trades. */
function rulesOf(market: WireMarket, tickSize: string): TicketRules {
  return {
    tick: price(microOf(Number(tickSize))),
    minOrderShares: shares(microOf(market.minOrderShares)),
    minBuyAmount: usdc(microOf(market.minMarketBuy)),
    feeRate: microOf(market.feeRate),
  };
}

function fundsOf(account: WireAccount, outcome: OutcomeIndex): TicketFunds {
  const holding = account.holdings[outcome];
  const { approvedUsdc } = account;
  return {
    available: usdc(microOf(account.availableUsdc)),
    approved: approvedUsdc === null ? null : usdc(microOf(approvedUsdc)),
    free: shares(microOf(holding.freeShares)),
    reserved: shares(microOf(holding.reservedShares)),
    averageEntry: holding.avgPrice === null ? null : price(microOf(holding.avgPrice)),
  };
}
