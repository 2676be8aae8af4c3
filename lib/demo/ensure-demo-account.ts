import "server-only";
import { createDemoAccount, lacksDemoAccount } from "@/lib/accounts/demo-account";
import { inOneTransaction } from "@/lib/db/client";
import { playHistory } from "@/lib/demo/play-history";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";

/**
 * Creates the demo account on the first start with the embedded database. With simulated markets, it
 * gets a history. One transaction writes both, so a crash leaves neither. Runs before anything else
 * uses the database or the clock.
 */
export async function ensureDemoAccount(): Promise<void> {
  if (!(await lacksDemoAccount())) return;
  const { VENUES, MARKET_DATA } = env();
  if (VENUES.includes("paper") && MARKET_DATA === "simulated") {
    try {
      await inOneTransaction(() => playHistory(createDemoAccount));
      return;
    } catch (error) {
      // The service must start. An account without a history can be used like any other.
      log.error("demo history not written", errorFields(error));
    }
  }
  await createDemoAccount();
}
