import "server-only";
import { env } from "@/lib/env";
import { getDatabaseWarnings } from "@/lib/server/check-database";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { demoFile } from "@/lib/auth/demo-file";
import { checkDemoFile } from "@/lib/accounts/demo-account";
import { paperExchange } from "@/lib/venues";
import { isModeEnabled } from "@/lib/venue/modes";
import type { Market } from "@/lib/venue/port";

/** Renders the start-up text: the address, the demo credentials and a first trade. */
export async function renderBanner(): Promise<string> {
  const url = env().NEXTAUTH_URL;
  const lines = ["", `Ante is ready at ${url}`, `  ${describeStorage()}`];
  for (const warning of getDatabaseWarnings()) lines.push(`  Warning: ${warning}.`);
  // The demo account has paper money only, so it is not shown while only live trading is on.
  const problem = isModeEnabled("paper") ? await checkDemoFile() : undefined;
  if (problem === null) {
    lines.push(`  Demo credentials: ${demoFile()}`, "", ...(await renderFirstTrade(url)));
  } else if (problem !== undefined) {
    lines.push(
      `  The demo credentials in ${demoFile()} no longer work: ${problem}`,
      "  Sign up in the browser, or create a key: npm run admin -- keys:create",
    );
  }
  return `${lines.join("\n")}\n`;
}

function describeStorage(): string {
  if (env().DATABASE_URL) return "Database: Postgres";
  return "Database: embedded, for one process and not safe against power loss. Set DATABASE_URL for more.";
}

/** Renders a command that works when pasted. It reads the key from the file, so no log contains it. */
async function renderFirstTrade(url: string): Promise<string[]> {
  const market = await findFirstMarket();
  if (!market) return ["No market is available at the moment. See /v1/markets for the reason."];
  const order = {
    tokenId: market.outcomes[0].tokenId,
    action: "BUY",
    orderType: "market",
    amount: 5,
    idempotencyKey: `first-trade-${newId("req").slice(-8)}`,
  };
  const readKey = `node -p 'JSON.parse(fs.readFileSync("${demoFile()}")).apiKey'`;
  const command = `curl -s ${url}/v1/orders -H "Authorization: Bearer $(${readKey})" -H 'Content-Type: application/json' -d '${JSON.stringify(order)}'`;
  return ["Buy with the demo account:", "", command];
}

/** Finds the most popular open market; null if there is none or the venue is down. */
async function findFirstMarket(): Promise<Market | null> {
  const venue = paperExchange();
  try {
    const open = (await venue.listMarkets()).filter(
      (candidate) => venue.getState(candidate).status === "open",
    );
    return open.toSorted((a, b) => b.popularity - a.popularity)[0] ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
