import type { z } from "zod";
import type { MarketGroup, MarketLine } from "@/lib/schemas/market-pages";

export type MarketGroupWire = z.input<typeof MarketGroup>;
export type MarketLineWire = z.input<typeof MarketLine>;

/** Where a row's title leads: its market, or the likeliest of its event. */
export function marketHref({ markets }: MarketGroupWire): string {
  return `/markets/${markets[0]?.slug ?? ""}`;
}

/** An event is shown by the names of its markets; a market that stands alone needs none. */
export const isEvent = ({ markets, hidden }: MarketGroupWire) => markets.length + hidden > 1;
