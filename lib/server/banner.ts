import "server-only";
import { existsSync } from "node:fs";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { demoFile } from "@/lib/services/users/demo-account";
import { paperExchange } from "@/lib/venue";
import { isOffered } from "@/lib/venue/modes";
import type { Market } from "@/lib/venue/port";

/** What a newcomer needs: where it runs, where the credentials are, and a first trade. */
export async function banner(): Promise<string> {
  const url = env().NEXTAUTH_URL;
  const lines = ["", `Ante is ready at ${url}`, `  ${storageNote()}`];
  // A demo account from before stays while only real money trades, which it has none of.
  if (existsSync(demoFile()) && isOffered("paper")) {
    lines.push(`  Demo credentials: ${demoFile()}`, "", ...(await firstTrade(url)));
  }
  return `${lines.join("\n")}\n`;
}

function storageNote(): string {
  if (env().DATABASE_URL) return "Database: Postgres";
  return "Database: embedded. One process only, and not safe against power loss; set DATABASE_URL for more.";
}

/** A command that works when pasted. The key is read from the file, so no log ever holds it. */
async function firstTrade(url: string): Promise<string[]> {
  const market = await firstMarket();
  if (!market) return ["No market is known at the moment; /v1/markets says why."];
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

/** The market to try first; null where there is none, or where its venue does not answer. */
async function firstMarket(): Promise<Market | null> {
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
