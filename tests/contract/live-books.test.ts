import { paperVenue } from "@/lib/exchange";
import type { Market } from "@/lib/venue/port";
import { PAPER_CAPABILITIES, paperHarness } from "@/tests/contract/paper-harness";
import { venueContract } from "@/tests/contract/venue";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { useLiveBooks } from "@/tests/support/polymarket/live-books";

const books = useLiveBooks();
useFreshDatabase();
useTestClock();
// Markets are listed before the first test creates its market.
books.add();

const cents = (of: number) => (of / 100).toFixed(2);
/** Quotes that start one cent from the middle, in wire order: the best one last. */
const quotes = (best: number, step: 1 | -1) =>
  Array.from({ length: 12 }, (_, index) => ({
    price: cents(best + step * index),
    size: String(60 + 40 * index),
  })).toReversed();

async function makeMarket(): Promise<Market> {
  const added = books.add({ feeRate: 0.05, bids: quotes(44, -1), asks: quotes(54, 1) });
  const market = await paperVenue.findMarket(added.id);
  if (!market) throw new Error("the venue knows the market");
  const opens = market.opensAt / 1_000;
  const minutes = Array.from({ length: 11 }, (_, minute) => ({ t: opens + 60 * minute, p: 0.5 }));
  books.setHistory(added, minutes);
  return market;
}

venueContract(
  "paper on live books",
  () =>
    paperHarness({
      makeMarket,
      resolve: async () => {
        throw new Error("a market that was handed out does not change: it is asked for again");
      },
    }),
  // Results come with the market itself; see tests/api/live-books.test.ts.
  { ...PAPER_CAPABILITIES, redeems: false },
);
