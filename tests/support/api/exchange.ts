import { afterAll, beforeAll, expect } from "vitest";
import type { z } from "zod";
import { setClock } from "@/lib/clock";
import { Market, MarketList } from "@/lib/schemas/markets";
import { verifyBooks } from "@/lib/ledger/verify-books";
import { microToNumber } from "@/lib/units";
import { read } from "@/tests/support/api/client";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";

/** An instant at which the simulated markets include the ones that the tests need. */
export const START = Date.parse("2026-11-21T12:00:02.000Z");

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;

export type TestMarket = z.output<typeof Market>;

export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

/**
 * Gives the test file a fresh database and a fixed clock, so that quotes change only when the test
 * advances it. Verifies the books after the file.
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
  /** No fee, tick 0.01, open for long, with room for orders between the house's quotes. */
  free: TestMarket;
  /** The highest fee, tick 0.001, open for long, with room between the quotes. */
  taxed: TestMarket;
  /** No fee, tick 0.1, closes within minutes. */
  short: TestMarket;
  /** Tick 0.0001. */
  fine: TestMarket;
  /** Without bids for its first token. */
  bidless: TestMarket;
}

/** A middle price at which 0.4 rests. */
const MIDDLE = 550_000n;

/**
 * Finds markets by what tests need, each the one with a price nearest to the middle. The result
 * depends only on the catalogue and the clock.
 */
export async function loadMarkets(key: string): Promise<TestMarkets> {
  const { markets: all } = await read(MarketList, "/v1/markets?limit=1000", key);
  const pick = (wanted: (market: TestMarket) => boolean) => {
    const [found] = all
      .filter((market) => isQuoted(market) && wanted(market))
      .toSorted((a, b) => distance(a) - distance(b));
    if (!found) throw new Error("no market matches");
    return found;
  };
  const bidless = all.find((market) => market.outcomes[0].bestBid === null);
  if (!bidless) throw new Error("every market has a bid");
  return {
    all,
    free: pick((market) => market.feeRate === 0n && isTick(market, "0.01") && hasRoom(market)),
    taxed: pick((market) => market.feeRate > 0n && isTick(market, "0.001") && hasRoom(market)),
    short: pick((market) => market.feeRate === 0n && isTick(market, "0.1") && isSoonOver(market)),
    fine: pick((market) => isTick(market, "0.0001")),
    bidless,
  };
}

/** Builds a body of POST /v1/orders: by default a small limit buy far below the market. */
export function orderFor(market: TestMarket, fields: Record<string, unknown> = {}) {
  return {
    tokenId: market.outcomes[0].tokenId,
    action: "BUY",
    orderType: "limit",
    ...(fields["orderType"] === "market" ? {} : { price: microToNumber(BigInt(readTick(market))) }),
    ...("amount" in fields ? {} : { shares: 5 }),
    ...fields,
  };
}

/** Returns the market's tick in millionths. */
export function readTick(market: TestMarket): bigint {
  return BigInt(Math.round(Number(market.tickSize) * 1_000_000));
}

/** Returns the best prices of the first token. Throws if one is missing. */
export function readQuotes(market: TestMarket): { bid: bigint; ask: bigint } {
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
  const { bid, ask } = readQuotes(market);
  const isLasting = market.closesAt.getTime() > START + 30 * MINUTE_MS;
  return isLasting && ask - bid >= 3n * readTick(market);
}

function distance(market: TestMarket): number {
  const { bid, ask } = readQuotes(market);
  return Math.abs(Number(bid + ask - 2n * MIDDLE));
}
