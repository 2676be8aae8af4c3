import "server-only";
import { KEY_PLACEHOLDER } from "@/app/docs/_lib/examples";
import { env } from "@/lib/env";

interface Step {
  title: string;
  code: string;
}

/** Returns the steps of a first trade as commands to paste. */
export function firstTrade(): Step[] {
  const origin = env().NEXTAUTH_URL;
  const authorization = `-H "Authorization: Bearer $ANTE_KEY"`;
  return [
    { title: "Set your API key", code: `export ANTE_KEY=${KEY_PLACEHOLDER}` },
    {
      title: "Find a market and one of its outcome tokens",
      code: [
        `TOKEN=$(curl -s "${origin}/v1/markets?limit=20" ${authorization} \\`,
        `  | node -p 'JSON.parse(fs.readFileSync(0)).data.markets.find((m) => m.outcomes[0].bestAsk).outcomes[0].tokenId')`,
      ].join("\n"),
    },
    {
      title: "Preview an order",
      code: [
        `curl -s "${origin}/v1/orders/preview" ${authorization} \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"tokenId":"'$TOKEN'","action":"BUY","orderType":"market","amount":5}'`,
      ].join("\n"),
    },
    {
      title: "Place the order",
      code: [
        `curl -s "${origin}/v1/orders" ${authorization} \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"tokenId":"'$TOKEN'","action":"BUY","orderType":"market","amount":5,` +
          `"idempotencyKey":"my-first-trade"}'`,
      ].join("\n"),
    },
    {
      title: "Check your position",
      code: `curl -s "${origin}/v1/positions" ${authorization}`,
    },
  ];
}
