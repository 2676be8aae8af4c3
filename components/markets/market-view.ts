import type { z } from "zod";
import type { MarketGroup, MarketLine } from "@/lib/schemas/market-pages";

export type MarketGroupWire = z.input<typeof MarketGroup>;
export type MarketLineWire = z.input<typeof MarketLine>;

/** Returns the link of a row's title: its market, or the likeliest market of its event. */
export function buildMarketHref({ markets }: MarketGroupWire): string {
  return `/markets/${markets[0]?.slug ?? ""}`;
}

/** Returns whether a row is an event with several markets, which are shown with their labels. */
export const isEvent = ({ markets, hidden }: MarketGroupWire) => markets.length + hidden > 1;
