import { beforeAll, describe, expect, it } from "vitest";
import {
  allOrders,
  anyToken,
  cleanUpAfterwards,
  expectCleanBooks,
  isHealthy,
  newKey,
  NO_LIMITS,
  type Product,
  readEnvelope,
  startPrepared,
  traderKey,
  until,
} from "@/tests/support/product/product";
import {
  type Caller,
  CORPUS,
  head,
  HOST,
  KIB,
  createOrder,
  post,
} from "@/tests/support/product/request-corpus";
import { exchange, openSlow, type RawAnswer } from "@/tests/support/product/raw-http";

cleanUpAfterwards();

const STATUSES = [200, 400, 401, 404, 405, 429, 502];

let product: Product;
let caller: Caller;

beforeAll(async () => {
  product = await startPrepared({ env: NO_LIMITS });
  const key = traderKey();
  caller = { key, tokenId: await anyToken(product.port, key) };
});

describe.each(CORPUS)("%s", (_group, cases) => {
  it.each(cases)("$name returns one envelope", async ({ bytes, status, options }) => {
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

/** A valid order request. */
function placing(idempotencyKey: string): string {
  const body = createOrder(caller, idempotencyKey);
  return post(`content-length: ${body.length}\r\n`, body)(caller);
}

describe("one connection", () => {
  it("answers pipelined requests in order", async () => {
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

  // A client takes the first response on a connection for that of its first request, and a 400 means
  // that the order will never be live.
  it("an order followed by extra bytes never gets 400 if it was placed", async () => {
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

  it("sends 100 Continue to a client that expects it", async () => {
    const body = createOrder(caller, newKey("continue"));
    const headers = `expect: 100-continue\r\ncontent-length: ${body.length}\r\n`;
    const { answers, interim } = await exchange(product.port, post(headers, body)(caller));
    expect(interim).toEqual([100]);
    expect(answers.map((answer) => answer.status)).toEqual([200]);
  });

  it("always delivers the rejection of a body that is too large", async () => {
    const headers = `content-length: ${KIB * KIB}\r\n`;
    const bytes = post(headers, "x".repeat(KIB * KIB))(caller);
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const { answers } = await exchange(product.port, bytes);
      expect(answers.map((answer) => answer.status)).toEqual([400]);
    }
  });
});

describe("300 connections with half a request", () => {
  const SLOW = 300;

  it("don't prevent orders of others, and are closed when the headers time out", async () => {
    const inHeaders = head("GET /v1/key HTTP/1.1")(caller).slice(0, -2);
    const inBody = post("content-length: 100\r\n", "{")(caller);
    const half = Array.from({ length: SLOW }, (_, index) => (index % 2 === 0 ? inHeaders : inBody));
    const slow = await openSlow(product.port, half);
    for (let round = 0; round < 30; round += 1) {
      // Throws if the response takes five seconds.
      const { answers } = await exchange(product.port, placing(newKey("beside-slow")));
      expect(answers.map((answer) => answer.status)).toEqual([200]);
    }
    expect(slow.open()).toBeGreaterThanOrEqual(SLOW / 2);
    await until("they are cut", async () => slow.open() <= SLOW / 2);
    expect(new Set(slow.statuses())).toEqual(new Set([400]));
    slow.end();
    expect(await isHealthy(product.port)).toBe(true);
  });
});

describe("afterwards", () => {
  it("only the valid orders exist and the books agree", async () => {
    const orders = await allOrders(product.port, caller.key);
    const isExpected =
      /^(in-chunks|after-continue|pipelined-.*|garbage-behind-.*|continue-.*|beside-slow-.*)$/;
    expect(orders.filter((order) => !isExpected.test(order.idempotencyKey))).toEqual([]);
    expect((await product.stop()).code).toBe(0);
    await expectCleanBooks({ DATA_DIR: product.dataDir });
  });
});
