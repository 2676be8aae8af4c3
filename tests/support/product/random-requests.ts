// Mutations of valid requests. Every path is an API path in some spelling, so that each response must be
// the envelope.
import type { OutgoingHttpHeaders } from "node:http";
import type { Sent } from "@/tests/support/product/client";
import type { Random } from "@/tests/support/random";

/** Existing objects that random values would not find. */
export interface Grounds {
  key: string;
  /** Valid keys without the trade scope. */
  otherKeys: readonly string[];
  orderIds: readonly string[];
  marketIds: readonly string[];
  tokenIds: readonly string[];
}

const METHODS = ["GET", "POST", "DELETE"] as const;
const ODD_METHODS = ["PUT", "PATCH", "OPTIONS", "HEAD", "PROPFIND", "TRACE", "SEARCH"] as const;
const PREFIXES = ["/V1", "/%761", "//v1", "/api/v1", "/API/v1", "/v1/", "/v%31"] as const;
const QUERY_NAMES = [
  "id",
  "market",
  "assetId",
  "onlyFirstPage",
  "nextCursor",
  "limit",
  "status",
  "sort",
  "search",
  "category",
  "interval",
  "tokenId",
  "from",
  "to",
  "action",
  "orderId",
  "__proto__",
  "constructor",
  "x",
] as const;
const QUERY_VALUES = [
  "",
  "true",
  "false",
  "1",
  "1000",
  "0",
  "-1",
  "open",
  "popular",
  "BUY",
  "1d",
  "%",
  "%00",
  "%ff",
  "2026-11-21T12:00:00Z",
  "W10",
  "eyJhIjoxfQ",
  "'%20or%201=1",
  "%F0%9F%8E%B2",
] as const;
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  "0.5",
  0,
  -1,
  0.1,
  1e-7,
  1e21,
  1e308,
  123_456_789.123_456_7,
  [],
  {},
  [1],
  { a: 1 },
  "x".repeat(300),
  "\u0000",
  "\uD800",
  "é".repeat(129),
  "__proto__",
  "NaN",
];
const ODD_IDS = [
  "x",
  "0",
  "null",
  "ord_1",
  "open",
  "preview",
  "%F0%9F%8E%B2",
  "%00",
  "..%2f",
  "__proto__",
] as const;
const FIELDS = [
  "tokenId",
  "action",
  "orderType",
  "amount",
  "shares",
  "price",
  "tickSize",
  "idempotencyKey",
] as const;
const ODD_BODIES = [
  "",
  "null",
  "[]",
  "{",
  '"text"',
  "1",
  "{}",
  '{"__proto__":{"a":1}}',
  "\uFEFF{}",
  '{"a":1}{"b":2}',
  '{"tokenId":"\\ud800"}',
  "NaN",
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
] as const;
const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/JSON",
  "application/json; charset=latin1",
  "",
] as const;
const ODD_HEADERS: readonly OutgoingHttpHeaders[] = [
  { "x-rehearse": "timeout" },
  { "x-rehearse": "unavailable" },
  { "x-rehearse": "delayed" },
  { "x-rehearse": "nonsense" },
  { "content-encoding": "gzip" },
  { accept: "text/html" },
  { "accept-encoding": "br, gzip" },
  { origin: "https://example.test", "access-control-request-method": "POST" },
  { "if-none-match": "*", range: "bytes=0-1" },
  {
    "x-forwarded-host": "example.test",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "1.2.3.4",
  },
  { "x-http-method-override": "DELETE" },
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy", "x-middleware-rewrite": "/" },
  { rsc: "1", "next-router-state-tree": "x", "next-action": "x" },
  { cookie: "next-auth.session-token=x; a=b" },
  { expect: "100-continue" },
];

/** Builds a mutated request, with the endpoint of the original. */
export function anyRequest(random: Random, grounds: Grounds): Sent & { endpoint: string } {
  const endpoint = anyEndpoint(random, grounds);
  const method = random.chance(0.1) ? random.pick([...METHODS, ...ODD_METHODS]) : endpoint.method;
  const path = mutatedPath(random, endpoint.path) + anyQuery(random, grounds);
  const headers: OutgoingHttpHeaders = {};
  if (random.chance(0.3)) Object.assign(headers, random.pick(ODD_HEADERS));
  const credentials = anyCredentials(random, grounds.key, grounds.otherKeys);
  if (credentials !== null) headers["authorization"] = credentials;
  const hasBody = endpoint.method === "POST" ? random.chance(0.97) : random.chance(0.05);
  if (!hasBody) return { endpoint: endpoint.name, method, path, headers };
  if (random.chance(0.1)) headers["content-type"] = random.pick(CONTENT_TYPES);
  return { endpoint: endpoint.name, method, path, headers, body: anyBody(random, grounds) };
}

function anyEndpoint(random: Random, grounds: Grounds) {
  const createId = (ids: readonly string[]) =>
    random.chance(0.7) ? random.pick(ids) : random.pick(ODD_IDS);
  const order = createId(grounds.orderIds);
  const market = createId(grounds.marketIds);
  const token = random.pick(grounds.tokenIds);
  const endpoint = random.pick([
    ["GET", "/health"],
    ["GET", "/v1/account/balance"],
    ["GET", "/v1/positions"],
    ["POST", `/v1/positions/${token}/redeem`],
    ["POST", "/v1/orders"],
    ["POST", "/v1/orders"],
    ["POST", "/v1/orders"],
    ["GET", "/v1/orders"],
    ["DELETE", "/v1/orders"],
    ["POST", "/v1/orders/preview"],
    ["GET", "/v1/orders/open"],
    ["GET", "/v1/orders/open"],
    ["GET", `/v1/orders/${order}`],
    ["DELETE", `/v1/orders/${order}`],
    ["GET", "/v1/markets"],
    ["GET", `/v1/markets/${market}`],
    ["GET", `/v1/markets/${market}/book`],
    ["GET", `/v1/markets/${market}/history`],
    ["GET", "/v1/fills"],
    ["GET", "/v1/activity"],
    ["GET", "/v1/key"],
    ["GET", "/v1/openapi.json"],
    ["GET", "/v1/asyncapi.json"],
    ["GET", "/v1/events"],
    ["GET", "/v1/webhooks"],
    ["POST", "/v1/webhooks"],
  ] as const);
  const [method, path] = endpoint;
  const name = `${method} ${path.replace(order, "{order}").replace(market, "{market}").replace(token, "{token}")}`;
  return { method, path, name };
}

function mutatedPath(random: Random, path: string): string {
  if (random.chance(0.8)) return path;
  if (random.chance(0.3)) return path.replace(/^\/v1/, random.pick(PREFIXES));
  const at = path.startsWith("/v1/") ? random.integer(4, path.length) : path.length;
  const inserted = random.pick([
    "/",
    "%",
    "%00",
    "%ff",
    "%2f",
    "%2e/",
    "//",
    ".",
    "/./",
    "\\",
    ";a=b",
    "'",
    "~",
    "/extra",
    "#",
  ]);
  // Anything but a slash after /health makes the path of a page.
  return at === path.length && path === "/health"
    ? `${path}/`
    : path.slice(0, at) + inserted + path.slice(at);
}

function anyQuery(random: Random, { tokenIds, marketIds }: Grounds): string {
  if (random.chance(0.6)) return "";
  const parts = Array.from({ length: random.integer(1, 3) }, () => {
    const value = random.chance(0.3)
      ? random.pick([...tokenIds, ...marketIds])
      : random.pick(QUERY_VALUES);
    return `${random.pick(QUERY_NAMES)}=${value}`;
  });
  return `?${parts.join("&")}`;
}

/** Picks the right key half of the time. */
function anyCredentials(random: Random, key: string, others: readonly string[]): string | null {
  if (random.chance(0.5)) return `Bearer ${key}`;
  return random.pick([
    null,
    "",
    "Bearer",
    `Basic ${Buffer.from("user:password").toString("base64")}`,
    key,
    `bearer  ${key}`,
    `Bearer ${key} `,
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key.replace("paper", "live")}`,
    `Bearer ${key}, Bearer ${key}`,
    "Bearer ante_paper_00000000000000000000000000000000000000000000000",
    ...others.map((other) => `Bearer ${other}`),
  ]);
}

function anyBody(random: Random, grounds: Grounds): string | Buffer {
  if (random.chance(0.08)) return random.pick(ODD_BODIES);
  if (random.chance(0.03))
    return Buffer.from(Array.from({ length: 40 }, () => random.integer(0, 255)));
  const order = validOrder(random, grounds);
  const mutations = random.chance(0.5) ? 0 : random.integer(1, 2);
  for (let mutation = 0; mutation < mutations; mutation += 1) {
    const field = random.pick(FIELDS);
    if (random.chance(0.3)) delete order[field];
    else order[field] = random.pick(ODD_VALUES);
  }
  const text = JSON.stringify(order);
  if (random.chance(0.04)) return text.slice(0, random.integer(0, text.length));
  return random.chance(0.02) ? `${text}${" ".repeat(17_000)}` : text;
}

function validOrder(random: Random, { tokenIds }: Grounds): Record<string, unknown> {
  const order: Record<string, unknown> = {
    tokenId: random.pick(tokenIds),
    action: random.chance(0.7) ? "BUY" : "SELL",
    orderType: random.chance(0.5) ? "market" : "limit",
    // Few keys, so that some are reused with the same and with another order.
    idempotencyKey: random.chance(0.8) ? `fuzz-${random.integer(1, 400)}` : undefined,
  };
  const isByAmount = order["action"] === "BUY" && random.chance(0.5);
  if (isByAmount) order["amount"] = random.integer(1, 20);
  else order["shares"] = random.integer(5, 40);
  if (order["orderType"] === "limit") order["price"] = random.integer(1, 9) / 10;
  return order;
}
