import "server-only";
import { CURL_KEY, KEY_VARIABLE } from "@/app/docs/_lib/examples";
import { env } from "@/lib/env";

interface Step {
  title: string;
  code: string;
  /** The start of the response, if it is worth a look. */
  response?: string;
}

/** Returns the steps of a first trade as commands to paste. */
export function firstTrade(): Step[] {
  const origin = env().NEXTAUTH_URL;
  return [
    { title: "Set your API key", code: `export ${KEY_VARIABLE}=YOUR_API_KEY` },
    {
      title: "Find a market and one of its outcome tokens",
      code: [
        "TOKEN=$(curl -s \\",
        `  "${origin}/v1/markets?limit=20" \\`,
        `  ${CURL_KEY} |`,
        "  node -p '",
        "    JSON.parse(fs.readFileSync(0))",
        "      .data.markets",
        "      .find((m) => m.outcomes[0].bestAsk)",
        "      .outcomes[0].tokenId",
        "  ')",
      ].join("\n"),
    },
    { title: "Preview an order", code: writeOrder(`${origin}/v1/orders/preview`) },
    {
      title: "Place the order",
      code: writeOrder(`${origin}/v1/orders`, [`"idempotencyKey": "my-first-trade"`]),
      response: '{ "ok": true, "data": { "orderId": "ord_…", "status": "filled", … } }',
    },
    {
      title: "Check your position",
      code: ["curl -s \\", `  "${origin}/v1/positions" \\`, `  ${CURL_KEY}`].join("\n"),
    },
  ];
}

/** Returns the command that sends a market buy of the token, with one argument or field per line. */
function writeOrder(url: string, extra: readonly string[] = []): string {
  const fields = [
    `"tokenId": "'$TOKEN'"`,
    `"action": "BUY"`,
    `"orderType": "market"`,
    `"amount": 5`,
    ...extra,
  ];
  return [
    "curl -s \\",
    `  "${url}" \\`,
    `  ${CURL_KEY} \\`,
    `  -H "Content-Type: application/json" \\`,
    "  -d '{",
    fields.map((field) => `    ${field}`).join(",\n"),
    "  }'",
  ].join("\n");
}
