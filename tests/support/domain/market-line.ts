import type { MarketLineWire } from "@/components/markets/market-view";

/** An open market in a row of a list. */
export const OPEN_LINE: MarketLineWire = {
  id: "m",
  slug: "will-it",
  title: "Will it rain?",
  label: "Rain",
  tickSize: "0.01",
  status: "open",
  untradableReason: null,
  winner: null,
  chance: 0.4,
  change: null,
  isNew: false,
  outcomes: [
    { name: "Yes", tokenId: "yes", ask: 0.41 },
    { name: "No", tokenId: "no", ask: 0.61 },
  ],
};
