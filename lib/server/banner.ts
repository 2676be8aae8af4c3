import "server-only";
import { existsSync } from "node:fs";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { demoFile } from "@/lib/services/users/demo-account";
import { paperExchange } from "@/lib/venue";

/** What a newcomer needs: where it runs, where the credentials are, and a first trade. */
export async function banner(): Promise<string> {
  const url = env().NEXTAUTH_URL;
  const lines = ["", `Ante is ready at ${url}`, `  ${storageNote()}`];
  if (existsSync(demoFile())) {
    lines.push(
      `  Demo credentials: ${demoFile()}`,
      "",
      "Buy with the demo account:",
      "",
      await firstTrade(url),
    );
  }
  return `${lines.join("\n")}\n`;
}

function storageNote(): string {
  if (env().DATABASE_URL) return "Database: Postgres";
  return "Database: embedded. One process only, and not safe against power loss; set DATABASE_URL for more.";
}

/** A command that works when pasted. The key is read from the file, so no log ever holds it. */
async function firstTrade(url: string): Promise<string> {
  const venue = paperExchange();
  const [market] = [...(await venue.listMarkets())]
    .filter((candidate) => venue.getState(candidate).status === "open")
    .toSorted((a, b) => b.popularity - a.popularity);
  const order = {
    tokenId: market?.outcomes[0].tokenId,
    action: "BUY",
    orderType: "market",
    amount: 5,
    idempotencyKey: `first-trade-${newId("req").slice(-8)}`,
  };
  const readKey = `node -p 'JSON.parse(fs.readFileSync("${demoFile()}")).apiKey'`;
  return `curl -s ${url}/v1/orders -H "Authorization: Bearer $(${readKey})" -H 'Content-Type: application/json' -d '${JSON.stringify(order)}'`;
}
