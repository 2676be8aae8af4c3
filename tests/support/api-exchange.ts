import { afterAll, beforeAll, expect } from "vitest";
import type { z } from "zod";
import { setClock } from "@/lib/clock";
import { Market, MarketList } from "@/lib/schemas/markets";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { microToNumber } from "@/lib/units";
import { read } from "@/tests/support/api-client";
import { useFreshDatabase } from "@/tests/support/database";

/** An instant at which the simulated markets are known to offer what the tests look for. */
export const START = Date.parse("2026-11-21T12:00:02.000Z");

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;

export type TestMarket = z.output<typeof Market>;

export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

/**
 * Gives the test file a fresh database and a clock that stands still, so that no quote moves unless
 * the test moves it. Whatever the file did, the books must add up when it is over.
 */
export function useExchange({ isAudited = true } = {}): TestClock {
  let at = START;
  let restore: (() => void) | undefined;
  useFreshDatabase();
  beforeAll(() => {
    restore = setClock(() => at);
  });
  afterAll(async () => {
    const { problems } = await verifyBooks();
    restore?.();
    if (isAudited) expect(problems).toEqual([]);
  });
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
}

export interface TestMarkets {
  all: TestMarket[];
  /** No fee, tick 0.01, lasts, with room for own orders between the house's quotes. */
  free: TestMarket;
  /** The highest fee, tick 0.001, lasts, with room between the quotes. */
  taxed: TestMarket;
  /** No fee, tick 0.1, closes within minutes. */
  short: TestMarket;
  /** Tick 0.0001. */
  fine: TestMarket;
  /** Nobody bids for its first token. */
  bidless: TestMarket;
}

/** Where prices of 0.4 rest and nothing is at its edge. */
const MIDDLE = 550_000n;

/**
 * Markets by what a test needs of them, each the one whose price is nearest to the middle. Which
 * these are depends on the catalogue and on the clock alone.
 */
export async function loadMarkets(key: string): Promise<TestMarkets> {
  const { markets: all } = await read(MarketList, "/v1/markets?limit=1000", key);
  const pick = (wanted: (market: TestMarket) => boolean) => {
    const [found] = all
      .filter((market) => isQuoted(market) && wanted(market))
      .toSorted((a, b) => distance(a) - distance(b));
    if (!found) throw new Error("no market is what the test needs");
    return found;
  };
  const bidless = all.find((market) => market.outcomes[0].bestBid === null);
  if (!bidless) throw new Error("somebody bids in every market");
  return {
    all,
    free: pick((market) => market.feeRate === 0n && isTick(market, "0.01") && hasRoom(market)),
    taxed: pick((market) => market.feeRate > 0n && isTick(market, "0.001") && hasRoom(market)),
    short: pick((market) => market.feeRate === 0n && isTick(market, "0.1") && isSoonOver(market)),
    fine: pick((market) => isTick(market, "0.0001")),
    bidless,
  };
}

/** A body of POST /v1/orders: a small limit buy far below the market, unless told otherwise. */
export function orderFor(market: TestMarket, fields: Record<string, unknown> = {}) {
  return {
    tokenId: market.outcomes[0].tokenId,
    action: "BUY",
    orderType: "limit",
    ...(fields["orderType"] === "market" ? {} : { price: microToNumber(BigInt(tickOf(market))) }),
    ...("amount" in fields ? {} : { shares: 5 }),
    ...fields,
  };
}

/** The market's tick in micro-units. */
export function tickOf(market: TestMarket): bigint {
  return BigInt(Math.round(Number(market.tickSize) * 1_000_000));
}

/** The best prices of the first token, which must exist. */
export function quotesOf(market: TestMarket): { bid: bigint; ask: bigint } {
  const { bestBid, bestAsk } = market.outcomes[0];
  if (bestBid === null || bestAsk === null) throw new Error(`${market.slug} lacks a quote`);
  return { bid: bestBid, ask: bestAsk };
}

const isTick = (market: TestMarket, tick: string) => market.tickSize === tick;
const isQuoted = ({ outcomes: [first] }: TestMarket) =>
  first.bestBid !== null && first.bestAsk !== null;
const isSoonOver = ({ closesAt }: TestMarket) =>
  closesAt.getTime() < START + 15 * MINUTE_MS && closesAt.getTime() > START + MINUTE_MS;

function hasRoom(market: TestMarket): boolean {
  const { bid, ask } = quotesOf(market);
  const isLasting = market.closesAt.getTime() > START + 30 * MINUTE_MS;
  return isLasting && ask - bid >= 3n * tickOf(market);
}

function distance(market: TestMarket): number {
  const { bid, ask } = quotesOf(market);
  return Math.abs(Number(bid + ask - 2n * MIDDLE));
}
