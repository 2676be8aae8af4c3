import { describe, expect, it } from "vitest";
import { NoResponse } from "@/lib/polymarket/http";
import { toPostResult, readPost } from "@/lib/polymarket/post-order";
import type { PostableOrder } from "@/lib/venue/port";
import { readCancel } from "@/lib/polymarket/cancel-orders";

const ID = `0x${"ab".repeat(32)}`;
const OTHER = `0x${"cd".repeat(32)}`;
const ORDER: PostableOrder = { body: "{}", venueOrderId: ID, action: "BUY" };
const TAKEN = {
  success: true,
  errorMsg: "",
  orderID: ID,
  status: "matched",
  makingAmount: "5",
  takingAmount: "10",
  tradeIDs: ["t1"],
};

const REFUSED = {
  success: false,
  errorMsg: "",
  orderID: "",
  status: "",
  makingAmount: "",
  takingAmount: "",
};

const post = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readPost(ORDER, {
    status,
    headers,
    text: typeof body === "string" ? body : JSON.stringify(body),
  });
const refusal = (text: string) => ({ error: text });

describe("the response to a post proves acceptance", () => {
  it.each([
    ["matched", "matched"],
    ["live", "open"],
    ["DELAYED", "delayed"],
  ])("if its status is %s and it names this order", (said, status) => {
    const result = post(200, { ...TAKEN, status: said, orderID: ID.toUpperCase() });
    expect(result).toEqual({
      outcome: "accepted",
      status,
      filledShares: 10_000_000n,
      filledNotional: 5_000_000n,
      tradeIds: ["t1"],
    });
  });

  it("and a SELL has the amounts swapped", () => {
    const reply = { status: 200, headers: {}, text: JSON.stringify(TAKEN) };
    expect(readPost({ ...ORDER, action: "SELL" }, reply)).toMatchObject({
      filledShares: 5_000_000n,
      filledNotional: 10_000_000n,
    });
  });

  it("of an earlier post, if it reports a duplicate", () => {
    const text = `order ${ID} is invalid. Duplicated.`;
    expect(post(400, refusal(text))).toEqual({ outcome: "duplicate" });
    for (const answer of [REFUSED, { ...TAKEN, success: false }]) {
      expect(post(200, { ...answer, errorMsg: text })).toEqual({ outcome: "duplicate" });
    }
  });
});

describe("the response to a post proves nothing", () => {
  const PAGE = "<html>Bad gateway</html>";
  const FUNDS = "not enough balance / allowance";
  const BROKE_OFF = "could not run the execution";
  it.each<[string, number, unknown]>([
    ["another order's id", 200, { ...TAKEN, orderID: OTHER }],
    ["no id", 200, { ...TAKEN, orderID: undefined }],
    ["an unknown status", 200, { ...TAKEN, status: "unmatched" }],
    ["no status", 200, { ...TAKEN, status: undefined }],
    ["no success and no reason", 200, { ...TAKEN, success: false }],
    ["invalid amounts", 200, { ...TAKEN, makingAmount: "5e3" }],
    ["an HTML page of a proxy", 200, PAGE],
    ["an empty body", 200, ""],
    ["half of the JSON", 200, JSON.stringify(TAKEN).slice(0, 40)],
    ["a rejection with an HTML page of a proxy", 400, PAGE],
    ["a 404 without a reason", 404, ""],
    ["a 425", 425, ""],
    ["a redirect", 302, ""],
    ["an unexpected status", 418, refusal("not enough balance")],
    ["an internal error of the venue", 500, refusal("could not insert order")],
    ["a rejection reason with a 5xx", 500, refusal("not enough balance / allowance")],
    ["a duplicate, with a 5xx", 502, refusal("Duplicated")],
    ["a gateway timeout", 504, ""],
    ["an engine failure as a 400", 400, refusal("Post: context canceled")],
    ["an engine failure with success", 200, { ...TAKEN, errorMsg: BROKE_OFF }],
    ["an engine failure without success", 200, { ...REFUSED, errorMsg: BROKE_OFF }],
    ["a rejection with success", 200, { ...REFUSED, success: true, errorMsg: FUNDS }],
    ["a rejection with this order's id", 200, { ...REFUSED, orderID: ID, errorMsg: FUNDS }],
    ["a rejection with another id", 200, { ...REFUSED, orderID: OTHER, errorMsg: FUNDS }],
    ["a rejection with a status", 200, { ...REFUSED, status: "live", errorMsg: FUNDS }],
    ["a rejection with trades", 200, { ...REFUSED, tradeIDs: ["t1"], errorMsg: FUNDS }],
    ["a rejection with amounts", 200, { ...REFUSED, takingAmount: "5", errorMsg: FUNDS }],
    [
      "a rejection with a transaction hash",
      200,
      { ...REFUSED, transactionsHashes: ["0x1"], errorMsg: FUNDS },
    ],
    ["a pause with an id", 200, { ...TAKEN, errorMsg: "cancel-only" }],
    ["success with an error beside it", 200, { ...TAKEN, error: FUNDS }],
    ["a match of nothing", 200, { ...TAKEN, makingAmount: "", takingAmount: "" }],
    ["a match of shares for nothing", 200, { ...TAKEN, makingAmount: "0" }],
    ["a 400 with this order's id", 400, { error: FUNDS, orderID: ID }],
    ["a 400 with success", 400, { error: FUNDS, success: true }],
    ["a 400 with a status", 400, { error: FUNDS, status: "live" }],
    ["a 403 with this order's id", 403, { error: "address banned", orderID: ID }],
    ["a 401 with this order's id", 401, { error: "Unauthorized", orderID: ID }],
  ])("%s", (_name, status, body) => {
    expect(post(status, body)).toMatchObject({ outcome: "unknown", code: "ORDER_OUTCOME_UNKNOWN" });
  });

  it.each<[string, number, unknown, Record<string, string>]>([
    ["Cloudflare's page with 403", 403, PAGE, {}],
    ["a 403 with an HTML content type", 403, "", { "content-type": "text/html" }],
    ["a 403 with an unknown reason", 403, { error: "Access denied" }, {}],
    ["a challenge with a 503", 503, PAGE, { "cf-mitigated": "challenge" }],
    ["a challenge that looks like success", 200, PAGE, { "cf-mitigated": "challenge" }],
    ["an HTML page with 429", 429, PAGE, { "retry-after": "60" }],
    ["an HTML page with 401", 401, PAGE, {}],
    ["a 451", 451, "", {}],
  ])("if it is a block: %s", (_name, status, body, headers) => {
    const result = { outcome: "blocked", code: "ORDER_OUTCOME_UNKNOWN" };
    expect(post(status, body, headers)).toMatchObject(result);
  });

  it("if it is a 429 without the headers of the venue's limiter", () => {
    expect(post(429, refusal("Too Many Requests"))).toMatchObject({ outcome: "unknown" });
  });

  it("if it is a 5xx with a known pause, whose reason is returned", () => {
    const answer = post(503, refusal("Trading is currently disabled. Check polymarket.com"));
    expect(answer).toMatchObject({ outcome: "unknown", code: "TRADING_PAUSED" });
  });

  it("if none arrives after the request was sent", () => {
    for (const reason of ["timeout", "connection"] as const) {
      const error = new NoResponse(reason, true, {});
      expect(toPostResult(error)).toMatchObject({ outcome: "unknown" });
    }
  });
});

describe("the response to a post proves rejection", () => {
  it.each([
    ["not enough balance / allowance", "INSUFFICIENT_BALANCE"],
    [
      "not enough balance / allowance: the allowance is not enough -> spender: 0xe1, allowance: 0, order amount: 5",
      "INSUFFICIENT_ALLOWANCE",
    ],
    ["the orderbook 1 does not exist", "MARKET_CLOSED"],
    ["an unknown text", "ORDER_REJECTED"],
  ])("if it has the error: %s", (text, code) => {
    for (const answer of [post(400, refusal(text)), post(200, { ...REFUSED, errorMsg: text })]) {
      expect(answer).toMatchObject({ outcome: "rejected", code });
    }
  });

  it("and names balance and approval if the reason has no figures", () => {
    const message =
      "The wallet has too little USDC for this order, or has not approved that the exchange spends it.";
    expect(post(400, refusal("not enough balance / allowance"))).toMatchObject({ message });
  });

  it.each<[string, number, unknown, Record<string, string>, string]>([
    ["the credentials are refused", 401, refusal("Unauthorized"), {}, "UPSTREAM_AUTH_FAILED"],
    ["the limiter rejects it", 429, "", { "retry-after": "2" }, "UPSTREAM_RATE_LIMITED"],
    [
      "the market takes no orders now",
      400,
      refusal("the market is not yet ready"),
      {},
      "TRADING_PAUSED",
    ],
  ])("and allows another post if %s", (_name, status, body, headers, code) => {
    const retryAfterMs = status === 429 ? 2_000 : 0;
    expect(post(status, body, headers)).toMatchObject({
      outcome: "not_placed",
      code,
      retryAfterMs,
    });
  });

  it("if nothing can have been sent", () => {
    const error = new NoResponse("connection", false, {});
    expect(toPostResult(error)).toMatchObject({
      outcome: "not_placed",
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("and other errors are rethrown", () => {
    expect(() => toPostResult(new TypeError("ours"))).toThrow("ours");
  });
});

describe("the response to a cancel", () => {
  const cancel = (status: number, body: unknown) =>
    readCancel(ID, {
      status,
      headers: {},
      text: typeof body === "string" ? body : JSON.stringify(body),
    }).outcome;

  it("proves what it reports about this order", () => {
    expect(cancel(200, { canceled: [ID.toUpperCase()], not_canceled: {} })).toBe("canceled");
    expect(cancel(200, { canceled: [], not_canceled: { [ID]: "matched" } })).toBe("not_open");
  });

  it.each<[string, number, unknown]>([
    ["another order", 200, { canceled: [OTHER], not_canceled: {} }],
    ["another order that is not open", 200, { canceled: [], not_canceled: { [OTHER]: "matched" } }],
    ["no order", 200, { canceled: [] }],
    ["no JSON", 200, "<html>"],
    ["this order twice", 200, { canceled: [ID], not_canceled: { [ID]: "matched" } }],
    ["this order with a 5xx", 500, { canceled: [ID], not_canceled: {} }],
    ["this order with a 4xx", 400, { canceled: [], not_canceled: { [ID]: "matched" } }],
  ])("proves nothing if it names %s", (_name, status, body) => {
    expect(cancel(status, body)).toBe("unknown");
  });
});
