import { LIVE_CAPABILITIES, liveHarness } from "@/tests/contract/live-harness";
import { venueContract } from "@/tests/contract/venue";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { useLiveVenue } from "@/tests/support/live/venue";

// The clock is frozen: an order gets one attempt, which can't time out on a busy machine.
await useLiveVenue({ SUBMIT_ATTEMPT_TIMEOUT_MS: "20000", SUBMIT_BUDGET_MS: "1" });
useFreshDatabase();
const clock = useTestClock();

venueContract("live, Protocol V1", () => liveHarness(clock, "v1"), LIVE_CAPABILITIES);
