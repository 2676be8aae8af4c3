import { beforeAll, describe, expect, it } from "vitest";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  demoKey,
  expectCleanBooks,
  isHealthy,
  newKey,
  NO_LIMITS,
  type Product,
  readEnvelope,
  startPrepared,
  until,
} from "@/tests/support/product";
import {
  type Caller,
  CORPUS,
  head,
  HOST,
  KIB,
  orderOf,
  post,
} from "@/tests/support/product-corpus";
import { exchange, openSlow, type RawAnswer } from "@/tests/support/product-raw";

cleanUpAfterwards();

const STATUSES = [200, 400, 401, 404, 405, 429, 502];

let product: Product;
let caller: Caller;

beforeAll(async () => {
  product = await startPrepared({ env: NO_LIMITS });
  const key = demoKey(product);
  caller = { key, tokenId: await anyToken(product.port, key) };
});

describe.each(CORPUS)("%s", (_group, cases) => {
  it.each(cases)("$name: one envelope", async ({ bytes, status, options }) => {
    const { answers, rest } = await exchange(product.port, bytes(caller), options);
    expect(rest).toBe("");
    expect(answers).toHaveLength(1);
    for (const answer of answers) {
      expect([status].flat()).toContain(answer.status);
      expectEnvelope(answer, options?.isHead);
    }
    expect(await isHealthy(product.port)).toBe(true);
  });
});

function expectEnvelope(answer: RawAnswer, isHead = false): void {
  expect(STATUSES).toContain(answer.status);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  if (answer.status === 405) expect(answer.headers["allow"]).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (isHead) expect(answer.text).toBe("");
  else readEnvelope(answer);
}

describe("without a key", () => {
  it.each([
    "/v1/orders",
    "/V1/orders",
    "/%761/orders",
    "/v1/%6frders",
    "/api/v1/orders",
    "/API/V1/orders",
    "/v1/../v1/orders",
    "/v1",
    "/v1/nothing",
    "/v1//orders",
    "/api//v1/orders",
    "/v1%2forders",
  ])("GET %s is a 401, whatever the spelling", async (path) => {
    const { answers } = await exchange(product.port, `GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
    expect(answers.map((answer) => answer.status)).toEqual([401]);
    expect(answers[0]?.headers["www-authenticate"]).toBe("Bearer");
  });
});

/** An order's request as it should be. */
function placing(idempotencyKey: string): string {
  const body = orderOf(caller, idempotencyKey);
  return post(`content-length: ${body.length}\r\n`, body)(caller);
}

describe("one connection", () => {
  it("answers pipelined requests in their order", async () => {
    const order = placing(newKey("pipelined"));
    const lines = ["GET /v1/key HTTP/1.1", "GET /v1/nowhere HTTP/1.1", "GET /health HTTP/1.1"];
    const [self = "", nowhere = "", health = ""] = lines.map((line) => head(line)(caller));
    const bytes = [self, order, nowhere, order, health];
    const { answers } = await exchange(product.port, bytes.join(""), { expected: bytes.length });
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 404, 200, 200]);
    expect(answers[3]?.text).toBe(answers[1]?.text);
    expect(answers[3]?.headers["idempotent-replayed"]).toBe("true");
    for (const answer of answers) expectEnvelope(answer);
  });

  // Whoever reads the first answer on a connection takes it for that of the first request, and a
  // 400 says that nothing is or will be live.
  it("an order with bytes too many behind it is never told 400 when it was placed", async () => {
    for (const garbage of ["}", "nonsense\r\n\r\n", "\0"]) {
      const key = newKey("garbage-behind");
      const bytes = placing(key) + garbage;
      const { answers } = await exchange(product.port, bytes, { untilClosed: true });
      for (const answer of answers) expectEnvelope(answer);
      const orders = await allOrders(product.port, caller.key);
      const isPlaced = orders.some((order) => order.idempotencyKey === key);
      if (isPlaced) expect([undefined, 200, 502]).toContain(answers[0]?.status);
    }
  });

  it("tells a client that expects it to go on before the answer", async () => {
    const body = orderOf(caller, newKey("continue"));
    const headers = `expect: 100-continue\r\ncontent-length: ${body.length}\r\n`;
    const { answers, interim } = await exchange(product.port, post(headers, body)(caller));
    expect(interim).toEqual([100]);
    expect(answers.map((answer) => answer.status)).toEqual([200]);
  });

  it("never loses the refusal of a body that is too large", async () => {
    const headers = `content-length: ${KIB * KIB}\r\n`;
    const bytes = post(headers, "x".repeat(KIB * KIB))(caller);
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const { answers } = await exchange(product.port, bytes);
      expect(answers.map((answer) => answer.status)).toEqual([400]);
    }
  });
});

describe("300 connections that send half a request and nothing more", () => {
  const SLOW = 300;
  const CUT_WITHIN_MS = 25_000;

  it("keep nobody from placing orders, and lose their connection when the time for headers is over", async () => {
    const inHeaders = head("GET /v1/key HTTP/1.1")(caller).slice(0, -2);
    const inBody = post("content-length: 100\r\n", "{")(caller);
    const half = Array.from({ length: SLOW }, (_, index) => (index % 2 === 0 ? inHeaders : inBody));
    const slow = await openSlow(product.port, half);
    for (let round = 0; round < 30; round += 1) {
      // Throws when the answer takes five seconds.
      const { answers } = await exchange(product.port, placing(newKey("beside-slow")));
      expect(answers.map((answer) => answer.status)).toEqual([200]);
    }
    expect(slow.open()).toBeGreaterThanOrEqual(SLOW / 2);
    await until(CUT_WITHIN_MS, "they are cut", async () => slow.open() <= SLOW / 2);
    expect(new Set(slow.statuses())).toEqual(new Set([400]));
    slow.end();
    expect(await isHealthy(product.port)).toBe(true);
  });
});

describe("after all that", () => {
  it("only the well-formed orders exist, and the books are sound", async () => {
    const orders = await allOrders(product.port, caller.key);
    const isExpected =
      /^(in-chunks|after-continue|pipelined-.*|garbage-behind-.*|continue-.*|beside-slow-.*)$/;
    expect(orders.filter((order) => !isExpected.test(order.idempotencyKey))).toEqual([]);
    expect((await product.stop()).code).toBe(0);
    await expectCleanBooks({ DATA_DIR: product.dataDir });
  });
});
