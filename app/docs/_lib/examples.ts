import "server-only";
import type { z } from "zod";
import type { Json } from "@/app/docs/_lib/sample";
import { SAMPLE_IDS } from "@/app/docs/_lib/sample";
import type { CodeExample } from "@/components/docs/operation-doc";
import { env } from "@/lib/env";
import type { OperationId, RouteSpec } from "@/lib/http/routes";
import type { PlaceOrderBody } from "@/lib/schemas/orders";

/** What stands where a reader puts the own key. */
export const KEY_PLACEHOLDER = "YOUR_API_KEY";

type OrderBody = z.input<typeof PlaceOrderBody>;

/** Bodies of the examples. */
export const EXAMPLE_BODIES: Partial<Record<OperationId, OrderBody>> = {
  placeOrder: {
    tokenId: SAMPLE_IDS.positionId,
    action: "BUY",
    orderType: "limit",
    price: 0.62,
    shares: 100,
    idempotencyKey: "rain-0001",
  },
  previewOrder: {
    tokenId: SAMPLE_IDS.positionId,
    action: "BUY",
    orderType: "market",
    amount: 25,
  },
};

/** Query strings of the examples, where one says more than none. */
export const EXAMPLE_QUERIES: Partial<Record<OperationId, Record<string, string>>> = {
  listMarkets: { search: "rain", limit: "10" },
  listOrders: { status: "filled", limit: "20" },
  getHistory: { interval: "1w" },
  listOpenOrders: { onlyFirstPage: "true" },
};

/** The same request in three languages. */
export function codeExamples(id: OperationId, route: RouteSpec): CodeExample[] {
  const request: ExampleRequest = {
    method: route.method,
    url: exampleUrl(id, route),
    hasKey: route.access !== "open",
    body: EXAMPLE_BODIES[id] ?? null,
    hasEnvelope: id !== "getOpenApi",
  };
  return [
    { language: "curl", code: curl(request) },
    { language: "JavaScript", code: javascript(request) },
    { language: "Python", code: python(request) },
  ];
}

interface ExampleRequest {
  method: RouteSpec["method"];
  url: string;
  hasKey: boolean;
  body: OrderBody | null;
  hasEnvelope: boolean;
}

function exampleUrl(id: OperationId, { path }: RouteSpec): string {
  const query = new URLSearchParams(EXAMPLE_QUERIES[id] ?? {}).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: keyof typeof SAMPLE_IDS) => SAMPLE_IDS[name]);
  return `${env().NEXTAUTH_URL}${filled}${query === "" ? "" : `?${query}`}`;
}

function curl({ method, url, hasKey, body }: ExampleRequest): string {
  const lines = [
    `curl ${method === "GET" || body ? "" : `-X ${method} `}"${url}"`,
    ...(hasKey ? [`-H "Authorization: Bearer ${KEY_PLACEHOLDER}"`] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${indented(body, 2)}'`] : []),
  ];
  return lines.join(" \\\n  ");
}

function javascript({ method, url, hasKey, body, hasEnvelope }: ExampleRequest): string {
  const headers = [
    ...(hasKey ? [`    Authorization: "Bearer ${KEY_PLACEHOLDER}",`] : []),
    ...(body ? [`    "Content-Type": "application/json",`] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body ? [`  body: JSON.stringify(${indented(body, 2)}),`] : []),
  ];
  const call = options.length > 0 ? `"${url}", {\n${options.join("\n")}\n}` : `"${url}"`;
  const rest = hasEnvelope
    ? [
        "const { ok, data, error } = await response.json();",
        "if (!ok) throw new Error(`${error.code}: ${error.message}`);",
      ]
    : ["const document = await response.json();"];
  return [`const response = await fetch(${call});`, ...rest].join("\n");
}

function python({ method, url, hasKey, body, hasEnvelope }: ExampleRequest): string {
  const options = [
    `    "${url}",`,
    ...(hasKey ? [`    headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"},`] : []),
    ...(body ? [`    json=${indented(body, 4)},`] : []),
    "    timeout=30,",
  ];
  const rest = hasEnvelope
    ? [
        "answer = response.json()",
        'if not answer["ok"]:',
        '    raise RuntimeError(answer["error"]["code"])',
        'data = answer["data"]',
      ]
    : ["document = response.json()"];
  return [
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...options,
    ")",
    ...rest,
  ].join("\n");
}

/** JSON whose lines after the first stand `spaces` further right. Text and numbers only. */
function indented(body: Json | OrderBody, spaces: number): string {
  return JSON.stringify(body, null, 2).replaceAll("\n", `\n${" ".repeat(spaces)}`);
}
