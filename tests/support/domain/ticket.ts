import type { OutcomeBook } from "@/lib/domain/ticket/book";
import type { TicketContext } from "@/lib/domain/ticket/context";
import { EMPTY_FORM, type TicketForm } from "@/lib/domain/ticket/form";
import { type Price, price, shares, usdc } from "@/lib/units";

export const cents = (value: number): Price => price(BigInt(Math.round(value * 10_000)));
export const count = (value: number) => shares(BigInt(Math.round(value * 1_000_000)));
export const dollars = (value: number) => usdc(BigInt(Math.round(value * 1_000_000)));

const levels = (list: readonly (readonly [number, number])[]) =>
  list.map(([at, size]) => ({ price: cents(at), shares: count(size) }));

/** The book of the test vectors, unordered. */
export const VECTOR_BOOK: OutcomeBook = {
  asks: levels([
    [65, 500],
    [62, 100],
    [63, 250],
  ]),
  bids: levels([
    [60, 300],
    [57, 400],
    [61, 120],
  ]),
};

/** A well-funded account in the vectors' market: whole cents, 5 cents of protection, no fee. */
export function ticketContext(changes: Partial<TicketContext> = {}): TicketContext {
  return {
    rules: {
      tick: cents(1),
      minOrderShares: count(5),
      minBuyAmount: dollars(1),
      feeRate: 0n,
      holdsFeeForRest: false,
      minLifeMs: 0,
      takesFokOfShares: true,
    },
    isAccepting: true,
    isFrozen: false,
    book: VECTOR_BOOK,
    isBookDead: false,
    funds: {
      available: dollars(10_000),
      approved: dollars(1_000_000),
      free: count(5_000),
      reserved: count(0),
      averageEntry: cents(40),
    },
    protection: cents(5),
    zone: "Europe/Berlin",
    now: Date.parse("2026-11-22T12:00:00Z"),
    ...changes,
  };
}

export const ticketForm = (fields: Partial<TicketForm>): TicketForm => ({
  ...EMPTY_FORM,
  ...fields,
});
