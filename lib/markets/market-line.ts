import "server-only";
import type { z } from "zod";
import type { Quote } from "@/lib/domain/mark-price";
import { toBookPrice } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { computeChange } from "@/lib/markets/day-change";
import type { MarketLine } from "@/lib/schemas/market-pages";
import { formatMicro, type Price } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

const DAY_MS = 24 * 3_600_000;

export interface LinePrices {
  /** By market id. */
  quotes: ReadonlyMap<string, Quote>;
  /** Prices of the first outcomes a day ago, by market id. */
  before: ReadonlyMap<string, Price>;
}

/** Builds the row of a market: its chance, its change in a day and the prices to buy its outcomes. */
export function toMarketLine(
  venue: MarketSource,
  market: Market,
  { quotes, before }: LinePrices,
): z.output<typeof MarketLine> {
  const quote = quotes.get(market.id);
  assert(quote, "every market is quoted");
  const { status, winner } = venue.getState(market);
  const { bid, ask, mark } = quote;
  const asks = [ask, bid === null ? null : toBookPrice(1, bid)] as const;
  return {
    id: market.id,
    slug: market.slug,
    title: market.title,
    label: market.label,
    tickSize: formatMicro(market.tick),
    status,
    untradableReason: market.untradable,
    winner: winner === null ? null : market.outcomes[winner].name,
    chance: mark,
    change: status === "open" ? computeChange(before.get(market.id), { mark, outcome: 0 }) : null,
    isNew: venue.now() - market.opensAt < DAY_MS,
    outcomes: market.outcomes.map(({ name, tokenId }, index) => ({
      name,
      tokenId,
      ask: asks[index] ?? null,
    })),
  };
}

/** Sorts rows by chance, likeliest first. */
export function compareChances(a: { chance: Price }, b: { chance: Price }): number {
  return a.chance === b.chance ? 0 : a.chance > b.chance ? -1 : 1;
}
