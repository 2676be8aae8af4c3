import { afterEach, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { groupByEvent, sortGroups } from "@/lib/markets/event-groups";
import { paperExchange } from "@/lib/venues";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, MINUTE, useTestClock } from "@/tests/support/exchange/orders";

useFreshDatabase();
const clock = useTestClock();
afterEach(() => vi.restoreAllMocks());

const NOTHING = { ranks: new Map(), volumes: new Map() };

/** One open market and one that has closed, of different events. */
function makeMarkets() {
  const closed = freshMarket({ closesAfter: MINUTE, closesWithin: 240 * MINUTE, inside: 0 });
  clock.set(closed.closesAt + MINUTE);
  const open = freshMarket({ where: ({ eventSlug }) => eventSlug !== closed.eventSlug });
  return { open, closed };
}

it("the popular ranking reads prices of open markets only, and puts closed events last", async () => {
  const { open, closed } = makeMarkets();
  const asked = vi.spyOn(paperExchange(), "getPastPrices");
  const groups = groupByEvent([closed, open]);
  const sorted = await sortGroups(paperExchange(), groups, { by: "popular", ...NOTHING });
  expect(sorted.map(({ eventSlug }) => eventSlug)).toEqual([open.eventSlug, closed.eventSlug]);
  const ids = asked.mock.calls.flatMap(([markets]) => markets.map(({ id }) => id));
  expect(new Set(ids)).toEqual(new Set([open.id]));
});

it.each(["popular", "move"] as const)(
  "the %s ranking needs no prices while the venue fails",
  async (by) => {
    const { open, closed } = makeMarkets();
    clock.advance(10 * MINUTE);
    vi.spyOn(paperExchange(), "getPastPrices").mockRejectedValue(
      new AppError("UPSTREAM_UNAVAILABLE", "The venue is down."),
    );
    const sorted = await sortGroups(paperExchange(), groupByEvent([open, closed]), {
      by,
      ...NOTHING,
    });
    expect(sorted.map(({ eventSlug }) => eventSlug)).toEqual([open.eventSlug, closed.eventSlug]);
  },
);
