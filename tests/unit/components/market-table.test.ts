import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MarketTable } from "@/components/markets/market-table";
import type { MarketGroupWire } from "@/components/markets/market-view";
import { OPEN_LINE } from "@/tests/support/domain/market-line";

const buildGroup = (eventSlug: string, volume: number | null): MarketGroupWire => ({
  eventSlug,
  title: "Will it rain?",
  category: "weather",
  icon: "/icons/rain",
  status: "open",
  untradableReason: null,
  closesAt: "2026-12-21T12:00:00.000Z",
  isWatched: false,
  marketIds: [eventSlug],
  volume,
  liquidity: 1_000,
  markets: [OPEN_LINE],
  hidden: 0,
});

/** Counts the volumes in a list of events with these volumes. */
function countVolumes(...volumes: (number | null)[]): number {
  const table = createElement(MarketTable, {
    groups: volumes.map((volume, index) => buildGroup(`event-${index}`, volume)),
    watchAction: async () => {},
    eventHref: "/markets?event=",
    trails: new Map(),
    now: Date.parse("2026-11-21T12:00:00.000Z"),
  });
  return renderToStaticMarkup(table).split("Vol. $").length - 1;
}

it("a list of markets shows the volume in all rows or in none", () => {
  expect(countVolumes(250, 90)).toBe(2);
  expect(countVolumes(250, 0)).toBe(0);
  expect(countVolumes(250, null)).toBe(0);
});
