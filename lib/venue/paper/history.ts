import "server-only";
import type { Price } from "@/lib/units";
import type { PaperMarket } from "@/lib/venue/paper/market";
import { referencePrice } from "@/lib/venue/paper/reference-price";
import type { PricePoint } from "@/lib/venue/port";

/** Prices of the first token over the part of a range in which the market was open. */
export function paperHistory(
  market: PaperMarket,
  { from, to, stepMs }: { from: number; to: number; stepMs: number },
): PricePoint[] {
  const points: PricePoint[] = [];
  const last = Math.min(to, market.closesAt);
  for (let at = Math.max(from, market.opensAt); at <= last; at += stepMs) {
    points.push({ at, price: referencePrice(market, at) });
  }
  return points;
}

/** Prices of the first token at one instant, of the markets that were open then, by market id. */
export function paperPricesAt(markets: readonly PaperMarket[], at: number): Map<string, Price> {
  const open = markets.filter((market) => at >= market.opensAt && at <= market.closesAt);
  return new Map(open.map((market) => [market.id, referencePrice(market, at)]));
}
