import "server-only";
import { KEY_PLACEHOLDER } from "@/app/docs/_lib/examples";
import { env } from "@/lib/env";

interface Step {
  title: string;
  code: string;
}

/** From nothing to a position, in commands that can be pasted one after the other. */
export function firstTrade(): Step[] {
  const origin = env().NEXTAUTH_URL;
  const authorization = `-H "Authorization: Bearer $ANTE_KEY"`;
  return [
    { title: "Keep your key at hand", code: `export ANTE_KEY=${KEY_PLACEHOLDER}` },
    {
      title: "Find a market and the token of one of its outcomes",
      code: [
        `TOKEN=$(curl -s "${origin}/v1/markets?limit=1" ${authorization} \\`,
        `  | node -p 'JSON.parse(fs.readFileSync(0)).data.markets[0].outcomes[0].tokenId')`,
      ].join("\n"),
    },
    {
      title: "Ask what an order would do",
      code: [
        `curl -s "${origin}/v1/orders/preview" ${authorization} \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"tokenId":"'$TOKEN'","action":"BUY","orderType":"market","amount":5}'`,
      ].join("\n"),
    },
    {
      title: "Place it, once",
      code: [
        `curl -s "${origin}/v1/orders" ${authorization} \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '{"tokenId":"'$TOKEN'","action":"BUY","orderType":"market","amount":5,` +
          `"idempotencyKey":"my-first-trade"}'`,
      ].join("\n"),
    },
    {
      title: "See the position",
      code: `curl -s "${origin}/v1/positions" ${authorization}`,
    },
  ];
}
