import { PAPER_CAPABILITIES, paperHarness } from "@/tests/contract/paper-harness";
import { venueContract } from "@/tests/contract/venue";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { freshMarket, useTestClock } from "@/tests/support/exchange/orders";

useFreshDatabase();
const clock = useTestClock();

venueContract(
  "paper",
  () =>
    paperHarness({
      makeMarket: async () => freshMarket(),
      resolve: async (market) => clock.set(market.resolvesAt),
    }),
  PAPER_CAPABILITIES,
);
