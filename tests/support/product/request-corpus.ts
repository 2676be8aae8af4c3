// Unusual requests as bytes, with the statuses that they may get.
import type { ExchangeOptions } from "@/tests/support/product/raw-http";

/** The caller, who is known only when the server runs. */
export interface Caller {
  key: string;
  tokenId: string;
}

type Bytes = (caller: Caller) => string | Buffer;

interface Case {
  name: string;
  bytes: Bytes;
  status: number | readonly number[];
  options?: ExchangeOptions;
}

export const KIB = 1024;
export const HOST = "host: 127.0.0.1\r\n";
const authorization = ({ key }: Caller) => `authorization: Bearer ${key}\r\n`;

/** Builds a request without a body. */
export const head =
  (line: string, headers = "") =>
  (caller: Caller) =>
    `${line}\r\n${HOST}${authorization(caller)}${headers}\r\n`;

/** Builds an order request with headers and a body that may not match. */
export const post =
  (headers: string, body: string) =>
  (caller: Caller): string =>
    `POST /v1/orders HTTP/1.1\r\n${HOST}${authorization(caller)}content-type: application/json\r\n${headers}\r\n${body}`;

const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Builds a body that places an order. */
export const createOrder = ({ tokenId }: Caller, idempotencyKey: string) =>
  JSON.stringify({ tokenId, action: "BUY", orderType: "market", amount: 1, idempotencyKey });

const REQUEST_LINES: Case[] = [
  { name: "plain text", bytes: () => "hello\r\n\r\n", status: 400 },
  { name: "a TLS hello", bytes: () => Buffer.from("16030100c8010000c40303", "hex"), status: 400 },
  { name: "zero bytes", bytes: () => Buffer.alloc(64), status: 400 },
  { name: "an HTTP/2 preface", bytes: () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400 },
  { name: "HTTP/0.9", bytes: () => "GET /health\r\n\r\n", status: [200, 400] },
  { name: "HTTP/3.7", bytes: head("GET /health HTTP/3.7"), status: 400 },
  { name: "no version", bytes: head("GET /health"), status: [200, 400] },
  { name: "no path", bytes: head("GET HTTP/1.1"), status: 400 },
  { name: "two spaces in the path", bytes: head("GET /v1/orders /open HTTP/1.1"), status: 400 },
  { name: "a raw NUL in the path", bytes: head("GET /v1/orders/\0 HTTP/1.1"), status: 400 },
  { name: "raw UTF-8 in the path", bytes: head("GET /v1/orders/é HTTP/1.1"), status: [400, 404] },
  { name: "an absolute form", bytes: head("GET http://127.0.0.1/health HTTP/1.1"), status: 400 },
  {
    name: "an absolute form to elsewhere",
    bytes: head("GET http://example.test/v1/orders HTTP/1.1"),
    status: 400,
  },
  { name: "an authority form", bytes: head("GET 127.0.0.1:80 HTTP/1.1"), status: 400 },
  { name: "OPTIONS *", bytes: head("OPTIONS * HTTP/1.1"), status: [400, 405] },
  { name: "GET *", bytes: head("GET * HTTP/1.1"), status: 400 },
  {
    name: "CONNECT",
    bytes: () => "CONNECT 127.0.0.1:80 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
    status: 405,
  },
  { name: "bare line feeds", bytes: () => `GET /health HTTP/1.1\nhost: x\n\n`, status: [200, 400] },
  {
    name: "an empty line first",
    bytes: () => `\r\nGET /health HTTP/1.1\r\n${HOST}\r\n`,
    status: [200, 400],
  },
  {
    name: "a 20 KB path",
    bytes: head(`GET /v1/orders/${"a".repeat(20 * KIB)} HTTP/1.1`),
    status: 400,
  },
];

const METHODS: Case[] = [
  ...["TRACE", "PUT", "PATCH", "OPTIONS", "PROPFIND", "PURGE", "M-SEARCH", "QUERY"].flatMap(
    (method) =>
      ["/health", "/v1/orders", "/v1/orders/open", "/v1/orders/ord_1"].map((path) => ({
        name: `${method} ${path}`,
        bytes: head(`${method} ${path} HTTP/1.1`),
        status: method === "OPTIONS" ? 200 : [405, 400],
      })),
  ),
  {
    name: "HEAD /health",
    bytes: head("HEAD /health HTTP/1.1"),
    status: 200,
    options: { isHead: true },
  },
  {
    name: "HEAD /v1/positions",
    bytes: head("HEAD /v1/positions HTTP/1.1"),
    status: 200,
    options: { isHead: true },
  },
  { name: "a lower-case method", bytes: head("get /health HTTP/1.1"), status: [400, 405] },
  { name: "an invented method", bytes: head("BET /v1/orders HTTP/1.1"), status: [400, 405] },
  {
    name: "a method with a byte too many",
    bytes: head("GETX /health HTTP/1.1"),
    status: [400, 405],
  },
  { name: "DELETE /health", bytes: head("DELETE /health HTTP/1.1"), status: 405 },
  { name: "POST /v1/positions", bytes: head("POST /v1/positions HTTP/1.1"), status: 405 },
];

const HEADERS: Case[] = [
  {
    name: "no Host",
    bytes: (caller) => `GET /v1/key HTTP/1.1\r\n${authorization(caller)}\r\n`,
    status: [200, 400],
  },
  {
    name: "two Hosts",
    bytes: head("GET /v1/key HTTP/1.1", "host: example.test\r\n"),
    status: [200, 400],
  },
  ...["a b", "a/b", "[", "::", "", "%", "127.0.0.1:abc", "user@host", "ex\\ample", "\u0001"].map(
    (bad) => ({
      name: `Host ${JSON.stringify(bad)}`,
      bytes: (caller: Caller) =>
        `GET /v1/key HTTP/1.1\r\nhost: ${bad}\r\n${authorization(caller)}\r\n`,
      status: [200, 400],
    }),
  ),
  { name: "HTTP/1.0", bytes: head("GET /v1/key HTTP/1.0"), status: 200 },
  {
    name: "HTTP/1.0 without Host",
    bytes: (caller) => `GET /v1/key HTTP/1.0\r\n${authorization(caller)}\r\n`,
    status: 200,
  },
  {
    name: "a header without a colon",
    bytes: head("GET /v1/key HTTP/1.1", "nonsense\r\n"),
    status: 400,
  },
  {
    name: "a space before the colon",
    bytes: head("GET /v1/key HTTP/1.1", "x-a : b\r\n"),
    status: 400,
  },
  {
    name: "a folded header",
    bytes: head("GET /v1/key HTTP/1.1", "x-a: b\r\n c\r\n"),
    status: [200, 400],
  },
  { name: "a NUL in a header", bytes: head("GET /v1/key HTTP/1.1", "x-a: b\0c\r\n"), status: 400 },
  {
    name: "20 KB of headers",
    bytes: head("GET /v1/key HTTP/1.1", `x-a: ${"b".repeat(20 * KIB)}\r\n`),
    status: 400,
  },
  {
    name: "500 headers",
    bytes: head("GET /v1/key HTTP/1.1", "x-a: b\r\n".repeat(500)),
    status: [200, 400],
  },
  {
    name: "two Authorization headers, both right",
    bytes: head("GET /v1/key HTTP/1.1", `authorization: Bearer x\r\n`),
    status: 401,
  },
  {
    name: "a wrong Authorization header before the right one",
    bytes: (caller) =>
      `GET /v1/key HTTP/1.1\r\n${HOST}authorization: Bearer x\r\n${authorization(caller)}\r\n`,
    status: 401,
  },
  {
    name: "the same Authorization header twice",
    bytes: (caller) =>
      `GET /v1/key HTTP/1.1\r\n${HOST}${authorization(caller)}${authorization(caller)}\r\n`,
    status: 401,
  },
  {
    name: "a key in the query",
    bytes: (caller) => `GET /v1/key?authorization=Bearer%20${caller.key} HTTP/1.1\r\n${HOST}\r\n`,
    status: 401,
  },
  {
    name: "a tab behind Bearer",
    bytes: (caller) =>
      `GET /v1/key HTTP/1.1\r\n${HOST}authorization: Bearer\t${caller.key}\r\n\r\n`,
    status: [200, 401],
  },
  {
    name: "an upgrade to WebSocket",
    bytes: head("GET /v1/key HTTP/1.1", "connection: Upgrade\r\nupgrade: websocket\r\n"),
    status: [200, 400],
  },
  {
    name: "an upgrade to h2c",
    bytes: head(
      "GET /v1/key HTTP/1.1",
      "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: x\r\n",
    ),
    status: [200, 400],
  },
  {
    name: "Expect: 100-continue without a body",
    bytes: head("GET /v1/key HTTP/1.1", "expect: 100-continue\r\n"),
    status: 200,
  },
  {
    name: "an unknown expectation",
    bytes: head("GET /v1/key HTTP/1.1", "expect: a-miracle\r\n"),
    status: [200, 400],
  },
];

const BODIES: Case[] = [
  { name: "no body", bytes: post("", ""), status: 400 },
  { name: "an empty body", bytes: post("content-length: 0\r\n", ""), status: 400 },
  {
    name: "a body in chunks",
    bytes: (caller) =>
      post("transfer-encoding: chunked\r\n", chunked(createOrder(caller, "in-chunks")))(caller),
    status: 200,
  },
  {
    name: "Expect: 100-continue",
    bytes: (caller) => {
      const body = createOrder(caller, "after-continue");
      return post(`expect: 100-continue\r\ncontent-length: ${body.length}\r\n`, body)(caller);
    },
    status: 200,
  },
  {
    name: "17 KB declared",
    bytes: post(`content-length: ${17 * KIB}\r\n`, "x".repeat(17 * KIB)),
    status: 400,
  },
  {
    name: "17 KB declared and not sent",
    bytes: post(`content-length: ${17 * KIB}\r\n`, ""),
    status: 400,
  },
  {
    name: "17 KB in one chunk",
    bytes: post("transfer-encoding: chunked\r\n", chunked(" ".repeat(17 * KIB))),
    status: 400,
  },
  {
    name: "17 KB in one chunk without an end",
    bytes: post(
      "transfer-encoding: chunked\r\n",
      `${(17 * KIB).toString(16)}\r\n${" ".repeat(17 * KIB)}`,
    ),
    status: 400,
  },
  {
    name: "1 MB declared",
    bytes: post(`content-length: ${KIB * KIB}\r\n`, "x".repeat(KIB * KIB)),
    status: 400,
  },
  {
    name: "both Content-Length and Transfer-Encoding",
    bytes: post(
      "content-length: 5\r\ntransfer-encoding: chunked\r\n",
      "0\r\n\r\nGET /health HTTP/1.1\r\nhost: x\r\n\r\n",
    ),
    status: 400,
    options: { untilClosed: true },
  },
  {
    name: "two Content-Lengths that differ",
    bytes: post("content-length: 2\r\ncontent-length: 3\r\n", "{} "),
    status: 400,
    options: { untilClosed: true },
  },
  ...["-1", "+5", "abc", "1e3", "0x10", "5, 5", "99999999999999999999", "1.5", " "].map((bad) => ({
    name: `Content-Length ${JSON.stringify(bad)}`,
    bytes: post(`content-length: ${bad}\r\n`, "{}"),
    status: 400,
  })),
  {
    name: "an unknown transfer encoding",
    bytes: post("transfer-encoding: gzip\r\n", "{}"),
    status: 400,
    options: { halfClose: true },
  },
  {
    name: "a chunk size that is no number",
    bytes: post("transfer-encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"),
    status: 400,
  },
  {
    name: "a negative chunk size",
    bytes: post("transfer-encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n"),
    status: 400,
  },
  {
    name: "a truncated body",
    bytes: post("content-length: 100\r\n", '{"tokenId":'),
    status: 400,
    options: { halfClose: true },
  },
  {
    name: "a truncated chunk",
    bytes: post("transfer-encoding: chunked\r\n", '64\r\n{"tokenId":'),
    status: 400,
    options: { halfClose: true },
  },
  {
    name: "a truncated head",
    bytes: () => `POST /v1/orders HTTP/1.1\r\n${HOST}`,
    status: 400,
    options: { halfClose: true },
  },
  {
    name: "bytes that are not UTF-8",
    bytes: (caller) =>
      Buffer.concat([
        Buffer.from(post("content-length: 4\r\n", "")(caller)),
        Buffer.from("22fffe22", "hex"),
      ]),
    status: 400,
  },
  {
    name: "a body on a GET",
    bytes: (caller) => `${head("GET /v1/key HTTP/1.1", "content-length: 2\r\n")(caller)}{}`,
    status: 200,
  },
];

const PATHS: Case[] = [
  ...[
    "\\v1\\orders",
    "/\\v1/orders",
    "/v1\\orders",
    "//v1/orders",
    "///v1/orders",
    "//example.test/v1/orders",
  ].map((path) => ({ path, status: [400, 404] })),
  ...[
    "/V1/orders",
    "/%761/orders",
    "/v1/Orders",
    "/v1//orders",
    "/v1/orders/",
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/HEALTH",
    "/health/",
    "/v1%2forders",
    "/v1/orders%2fopen",
  ].map((path) => ({ path, status: 404 })),
  ...[
    "/v1/orders/%",
    "/v1/orders/%ff",
    "/v1/orders/%c0%af",
    "/v1/orders/%e0%a4%a",
    "/%",
    "/v1/markets/%zz/book",
  ].map((path) => ({ path, status: 400 })),
  ...[
    "/v1/orders/%00",
    "/v1/orders/..%2f..",
    "/v1/orders/%0d%0a",
    "/v1/orders/ord_%F0%9F%8E%B2",
    `/v1/orders/${"x".repeat(8 * KIB)}`,
  ].map((path) => ({ path, status: 404 })),
  ...[
    "/api/v1/orders",
    "/api/v1/orders/open",
    "/v1/../v1/orders",
    "/v1/./orders",
    "/v1/orders?",
    "/v1/orders#part",
  ].map((path) => ({ path, status: [200, 400, 404] })),
  ...["/api/v1/nothing", "/API/v1/orders", "/api/health/", "/api//v1/orders"].map((path) => ({
    path,
    status: [400, 404],
  })),
  ...[
    "/v1/orders/open?nextCursor=%",
    "/v1/orders/open?id=%ff",
    "/v1/orders/open?=&&=",
    "/v1/orders/open?__proto__=1",
    "/v1/orders/open?id=a&id=b",
  ].map((path) => ({ path, status: [200, 400] })),
].map(({ path, status }) => ({
  name: path.slice(0, 60),
  bytes: head(`GET ${path} HTTP/1.1`),
  status,
}));

export const CORPUS: readonly [string, readonly Case[]][] = [
  ["request lines", REQUEST_LINES],
  ["methods", METHODS],
  ["headers", HEADERS],
  ["bodies", BODIES],
  ["paths", PATHS],
];
