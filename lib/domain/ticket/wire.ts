import {
  parseMicroNumber,
  mirrorBook,
  readBook,
  separateOwn,
  type WireOrder,
} from "@/lib/domain/ticket/book";
import type { TicketContext, TicketFunds, TicketRules } from "@/lib/domain/ticket/context";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { POLYMARKET_MIN_LIFE_MS } from "@/lib/domain/time-in-force";
import { price, shares, usdc } from "@/lib/units";

interface WireMarket {
  status: string;
  tickSize: string;
  minOrderShares: number;
  minMarketBuy: number;
  feeRate: number;
  outcomes: readonly [{ name: string }, { name: string }];
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
  isFrozen: boolean;
  builderFees?: { takerBps: number; makerBps: number } | undefined;
  holdings: readonly [WireHolding, WireHolding];
  /** The account's orders in this market. */
  orders: readonly WireOrder[];
}

interface WireBook {
  bids: readonly { price: number; shares: number }[];
  asks: readonly { price: number; shares: number }[];
  tickSize: string;
}

/** The data that a ticket is assessed with, as the dashboard's API sends it. */
export interface TicketFacts {
  mode: "paper" | "live";
  market: WireMarket;
  /** The book of the market's first outcome; null if it could not be loaded. */
  book: WireBook | null;
  isBookDead: boolean;
  account: WireAccount | null;
  /** How far from the best price a market order can fill, in cents. */
  protectionCents: number;
  /** The user's time zone. */
  zone: string;
  /** In milliseconds since the epoch. */
  now: number;
}

const CENT = 10_000n;

/** Converts the facts to the context of one outcome. */
export function toContext(facts: TicketFacts, outcome: OutcomeIndex): TicketContext {
  const { market, book, account } = facts;
  const first = book ? readBook(book) : null;
  return {
    rules: readRules(facts),
    // The account's copy of the status is newer: it refreshes, the market doesn't.
    isAccepting: (account?.marketStatus ?? market.status) === "open",
    isFrozen: account?.isFrozen ?? false,
    book:
      first &&
      separateOwn(
        outcome === 1 ? mirrorBook(first) : first,
        market.outcomes[outcome].name,
        account?.orders ?? [],
      ),
    isBookDead: facts.isBookDead,
    funds: account ? toFunds(account, outcome) : null,
    protection: price(BigInt(facts.protectionCents) * CENT),
    zone: facts.zone,
    now: facts.now,
  };
}

/** Takes the tick from the book, because a market's tick can change while it trades. */
function readRules({ market, book, mode, account }: TicketFacts): TicketRules {
  const builderFees = account?.builderFees;
  return {
    tick: price(parseMicroNumber(Number(book?.tickSize ?? market.tickSize))),
    minOrderShares: shares(parseMicroNumber(market.minOrderShares)),
    minBuyAmount: usdc(parseMicroNumber(market.minMarketBuy)),
    feeRate: parseMicroNumber(market.feeRate),
    builderFees: builderFees && {
      takerBps: BigInt(builderFees.takerBps),
      makerBps: BigInt(builderFees.makerBps),
    },
    holdsFeeForRest: mode === "live",
    minLifeMs: mode === "live" ? POLYMARKET_MIN_LIFE_MS : 0,
    takesFokOfShares: mode === "paper",
  };
}

function toFunds(account: WireAccount, outcome: OutcomeIndex): TicketFunds {
  const holding = account.holdings[outcome];
  const { approvedUsdc } = account;
  return {
    available: usdc(parseMicroNumber(account.availableUsdc)),
    approved: approvedUsdc === null ? null : usdc(parseMicroNumber(approvedUsdc)),
    free: shares(parseMicroNumber(holding.freeShares)),
    reserved: shares(parseMicroNumber(holding.reservedShares)),
    averageEntry: holding.avgPrice === null ? null : price(parseMicroNumber(holding.avgPrice)),
  };
}
