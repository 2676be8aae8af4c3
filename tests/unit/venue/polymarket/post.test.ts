import { describe, expect, it } from "vitest";
import { NoAnswer } from "@/lib/venue/polymarket/http";
import { fromNoAnswer, readCancel, readPost } from "@/lib/venue/polymarket/post";
import type { PostableOrder } from "@/lib/venue/port";

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

const post = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readPost(ORDER, {
    status,
    headers,
    text: typeof body === "string" ? body : JSON.stringify(body),
  });
const refusal = (text: string) => ({ error: text });

describe("what a venue's answer proves of a posted order: it was taken", () => {
  it.each([
    ["matched", "matched"],
    ["live", "open"],
    ["DELAYED", "delayed"],
  ])("when it says %s of this very order", (said, status) => {
    const result = post(200, { ...TAKEN, status: said, orderID: ID.toUpperCase() });
    expect(result).toEqual({
      outcome: "accepted",
      status,
      filledShares: 10_000_000n,
      filledNotional: 5_000_000n,
      tradeIds: ["t1"],
    });
  });

  it("and what a SELL gave and got are the other way round", () => {
    const reply = { status: 200, headers: {}, text: JSON.stringify(TAKEN) };
    expect(readPost({ ...ORDER, action: "SELL" }, reply)).toMatchObject({
      filledShares: 5_000_000n,
      filledNotional: 10_000_000n,
    });
  });

  it("earlier, when it says that it has it already", () => {
    const text = `order ${ID} is invalid. Duplicated.`;
    expect(post(400, refusal(text))).toEqual({ outcome: "duplicate" });
    expect(post(200, { ...TAKEN, success: false, errorMsg: text })).toEqual({
      outcome: "duplicate",
    });
  });
});

describe("what a venue's answer proves of a posted order: nothing", () => {
  const PAGE = "<html>Bad gateway</html>";
  const BROKE_OFF = "could not run the execution";
  it.each<[string, number, unknown]>([
    ["another order's id", 200, { ...TAKEN, orderID: OTHER }],
    ["no id", 200, { ...TAKEN, orderID: undefined }],
    ["a status that nobody knows", 200, { ...TAKEN, status: "unmatched" }],
    ["no status", 200, { ...TAKEN, status: undefined }],
    ["no success and no reason", 200, { ...TAKEN, success: false }],
    ["amounts that are none", 200, { ...TAKEN, makingAmount: "5e3" }],
    ["a page of a proxy", 200, PAGE],
    ["nothing", 200, ""],
    ["half of the JSON", 200, JSON.stringify(TAKEN).slice(0, 40)],
    ["a refusal that is a proxy's page", 400, PAGE],
    ["a 404 without a reason", 404, ""],
    ["a 425", 425, ""],
    ["a redirect", 302, ""],
    ["a status that nobody expects", 418, refusal("not enough balance")],
    ["an error of the venue's own", 500, refusal("could not insert order")],
    ["a reason that would refuse, with a 5xx", 500, refusal("not enough balance / allowance")],
    ["a duplicate, with a 5xx", 502, refusal("Duplicated")],
    ["a gateway's time-out", 504, ""],
    ["an engine that broke off, as a refusal", 400, refusal("Post: context canceled")],
    ["an engine that broke off, with success", 200, { ...TAKEN, errorMsg: BROKE_OFF }],
    ["an engine that broke off, without", 200, { ...TAKEN, success: false, errorMsg: BROKE_OFF }],
  ])("%s", (_name, status, body) => {
    expect(post(status, body)).toMatchObject({ outcome: "unknown", code: "ORDER_OUTCOME_UNKNOWN" });
  });

  it("a 429 that is not its limiter's own", () => {
    expect(post(429, refusal("Too Many Requests"))).toMatchObject({ outcome: "unknown" });
  });

  it("a 5xx that says why it is closed; only the reason is passed on", () => {
    const answer = post(503, refusal("Trading is currently disabled. Check polymarket.com"));
    expect(answer).toMatchObject({ outcome: "unknown", code: "TRADING_PAUSED" });
  });

  it("no answer to what was sent", () => {
    for (const reason of ["timeout", "connection"] as const) {
      const error = new NoAnswer(reason, true, {});
      expect(fromNoAnswer(error)).toMatchObject({ outcome: "unknown" });
    }
  });
});

describe("what a venue's answer proves of a posted order: it was not taken", () => {
  it.each([
    ["not enough balance / allowance", "INSUFFICIENT_BALANCE"],
    ["the orderbook 1 does not exist", "MARKET_CLOSED"],
    ["what nobody has heard of", "ORDER_REJECTED"],
  ])("when it refuses it: %s", (text, code) => {
    for (const answer of [
      post(400, refusal(text)),
      post(200, { ...TAKEN, success: false, errorMsg: text }),
    ]) {
      expect(answer).toMatchObject({ outcome: "rejected", code });
    }
  });

  it.each<[string, number, unknown, Record<string, string>, string]>([
    ["the credentials are refused", 401, refusal("Unauthorized"), {}, "UPSTREAM_AUTH_FAILED"],
    ["nobody is let in", 403, "<html>", {}, "UPSTREAM_AUTH_FAILED"],
    ["its limiter says so", 429, "", { "retry-after": "2" }, "UPSTREAM_RATE_LIMITED"],
    ["it takes none now", 400, refusal("the market is not yet ready"), {}, "TRADING_PAUSED"],
  ])("and may be posted again when %s", (_name, status, body, headers, code) => {
    const retryAfterMs = status === 429 ? 2_000 : 0;
    expect(post(status, body, headers)).toMatchObject({
      outcome: "not_placed",
      code,
      retryAfterMs,
    });
  });

  it("when nothing can have been sent", () => {
    const error = new NoAnswer("connection", false, {});
    expect(fromNoAnswer(error)).toMatchObject({
      outcome: "not_placed",
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("and a mistake of ours proves nothing of the venue: it is thrown on", () => {
    expect(() => fromNoAnswer(new TypeError("ours"))).toThrow("ours");
  });
});

describe("what a venue's answer proves of a cancel", () => {
  const cancel = (status: number, body: unknown) =>
    readCancel(ID, {
      status,
      headers: {},
      text: typeof body === "string" ? body : JSON.stringify(body),
    }).outcome;

  it("only that it did what it says of this very order", () => {
    expect(cancel(200, { canceled: [ID.toUpperCase()], not_canceled: {} })).toBe("canceled");
    expect(cancel(200, { canceled: [], not_canceled: { [ID]: "matched" } })).toBe("not_open");
  });

  it.each<[string, number, unknown]>([
    ["another order", 200, { canceled: [OTHER], not_canceled: {} }],
    ["another order that is not open", 200, { canceled: [], not_canceled: { [OTHER]: "matched" } }],
    ["nobody", 200, { canceled: [] }],
    ["what is no answer", 200, "<html>"],
    ["it, with a 5xx", 500, { canceled: [ID], not_canceled: {} }],
    ["it, with a 4xx", 400, { canceled: [], not_canceled: { [ID]: "matched" } }],
  ])("nothing when it names %s", (_name, status, body) => {
    expect(cancel(status, body)).toBe("unknown");
  });
});
