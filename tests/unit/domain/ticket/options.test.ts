import { describe, expect, it } from "vitest";
import { describeOrder } from "@/components/trading/describe-order";
import { describeIssue, listOptionTexts } from "@/components/trading/wording";
import { assess } from "@/lib/domain/ticket/assess";
import type { TicketContext } from "@/lib/domain/ticket/context";
import type { TicketForm } from "@/lib/domain/ticket/form";
import { toPayload } from "@/lib/domain/ticket/payload";
import { cents, count, ticketContext, ticketForm } from "@/tests/support/domain/ticket";

const LIMIT = { type: "limit", price: "60", shares: "100" } as const;
const EXPIRING = { ...LIMIT, expiry: "time", expires: "2026-11-24T12:00" } as const;
const MARKET = { type: "market", amount: "100" } as const;
const BERLIN = { zone: "Europe/Berlin", hour12: false };

const assessed = (fields: Partial<TicketForm>, changes: Partial<TicketContext> = {}) =>
  assess(ticketForm(fields), ticketContext(changes));
const listTexts = (fields: Partial<TicketForm>, changes: Partial<TicketContext> = {}) =>
  assessed(fields, changes).issues.map((issue) => [issue.field, describeIssue(issue)]);

function createOrder(fields: Partial<TicketForm>) {
  const { order } = assessed(fields);
  if (!order) throw new Error("the fields describe no order");
  return order;
}

describe("the payload of an order with options", () => {
  it("omits options with their default value", () => {
    expect(toPayload(createOrder(LIMIT))).toEqual({
      action: "BUY",
      orderType: "limit",
      price: 0.6,
      shares: 100,
    });
    expect(toPayload(createOrder(MARKET))).toEqual({
      action: "BUY",
      orderType: "market",
      price: 0.67,
      amount: 100,
    });
  });

  it("has the expiry as an instant of the user's zone, and post only", () => {
    expect(toPayload(createOrder({ ...EXPIRING, postOnly: true }))).toMatchObject({
      timeInForce: "GTD",
      expiresAt: "2026-11-24T11:00:00.000Z",
      postOnly: true,
    });
  });

  it("has the end of the user's day as the expiry of an order for today", () => {
    const today = { ...LIMIT, expiry: "today", expires: "ignored" } as const;
    expect(toPayload(createOrder(today))).toMatchObject({
      timeInForce: "GTD",
      expiresAt: "2026-11-22T23:00:00.000Z",
    });
  });

  it("has shares and the worst price for a market buy in shares", () => {
    expect(toPayload(createOrder({ unit: "shares", shares: "100" }))).toEqual({
      action: "BUY",
      orderType: "market",
      price: 0.67,
      shares: 100,
    });
  });

  it("is never FOK for a buy in shares on a venue that doesn't take it", () => {
    const rules = { ...ticketContext().rules, takesFokOfShares: false };
    const fields = { unit: "shares", shares: "100", fillOrKill: true } as const;
    const { order } = assessed(fields, { rules });
    expect(order?.options.timeInForce).toBe("FAK");
    expect(assessed({ ...MARKET, fillOrKill: true }, { rules }).order?.options.timeInForce).toBe(
      "FOK",
    );
  });

  it("is FOK for a market order that fills in full or not at all", () => {
    expect(toPayload(createOrder({ ...MARKET, fillOrKill: true }))).toMatchObject({
      timeInForce: "FOK",
    });
  });

  it("leaves out the options of the other order type", () => {
    expect(toPayload(createOrder({ ...EXPIRING, ...MARKET, postOnly: true }))).not.toHaveProperty(
      "timeInForce",
    );
    expect(toPayload(createOrder({ ...LIMIT, fillOrKill: true }))).not.toHaveProperty(
      "timeInForce",
    );
  });
});

describe("the issues of an order's options", () => {
  it.each([
    "",
    "tomorrow",
    "2026-02-30T12:00",
    "2026-11-24T25:00",
    "2026-11-24",
    "9999-01-01T00:00",
  ])("an expiry %j is rejected as no date and time", (expires) => {
    expect(listTexts({ ...EXPIRING, expires })).toEqual([["expires", "Choose a date and time."]]);
  });

  it("an expiry must be in the future, by the user's zone", () => {
    const now = Date.parse("2026-11-24T11:00:00Z");
    expect(listTexts(EXPIRING, { now })).toEqual([["expires", "Choose a time in the future."]]);
    expect(listTexts(EXPIRING, { now: now - 1 })).toEqual([]);
    expect(listTexts(EXPIRING, { now, zone: "UTC" })).toEqual([]);
  });

  it("an expiry must be at least the venue's minimum ahead", () => {
    const rules = { ...ticketContext().rules, minLifeMs: 125_000 };
    const now = Date.parse("2026-11-24T10:58:00Z");
    expect(listTexts(EXPIRING, { now, rules })).toEqual([
      ["expires", "Choose a time at least 3 minutes from now."],
    ]);
    expect(listTexts(EXPIRING, { now: now - 5_000, rules })).toEqual([]);
  });

  it("an expiry with seconds, or with a space instead of T, is accepted", () => {
    for (const expires of ["2026-11-24T12:00:00", "2026-11-24 12:00"]) {
      expect(toPayload(createOrder({ ...EXPIRING, expires }))).toMatchObject({
        expiresAt: "2026-11-24T11:00:00.000Z",
      });
    }
  });

  it("an order for today is rejected if the day ends too soon", () => {
    const rules = { ...ticketContext().rules, minLifeMs: 125_000 };
    const now = Date.parse("2026-11-22T22:59:00Z");
    expect(listTexts({ ...LIMIT, expiry: "today" }, { now, rules })).toEqual([
      ["expires", "Choose a time at least 3 minutes from now."],
    ]);
  });

  it("a post-only order that would fill immediately is rejected with the nearest resting price", () => {
    const buy = assessed({ ...LIMIT, price: "62", postOnly: true }).issues;
    expect(buy.map((issue) => describeIssue(issue))).toEqual([
      "This order would fill immediately. Lower the price, or turn off post only.",
    ]);
    expect(buy[0]).toMatchObject({ field: "postOnly", fix: { field: "price", text: "61" } });
    const sell = assessed({ ...LIMIT, action: "SELL", price: "61", postOnly: true }).issues;
    expect(sell[0]).toMatchObject({ field: "postOnly", fix: { field: "price", text: "62" } });
    expect(listTexts({ ...LIMIT, price: "61", postOnly: true })).toEqual([]);
  });

  it("a post-only order that would fill immediately is rejected with any expiry", () => {
    const fields = { ...EXPIRING, expires: "", price: "62", postOnly: true };
    expect(listTexts(fields).map(([field]) => field)).toEqual(["expires", "postOnly"]);
  });

  it("offers no price if the best price is the last of the grid", () => {
    const book = { bids: [], asks: [{ price: cents(1), shares: count(500) }] };
    const [issue] = assessed({ ...LIMIT, price: "1", postOnly: true }, { book }).issues;
    expect(issue).toMatchObject({ kind: "would_trade" });
    expect(issue?.fix).toBeUndefined();
  });

  it("a fill-or-kill order that would fill only in part is rejected with that part", () => {
    const { issues, warnings } = assessed({ ...MARKET, amount: "1000", fillOrKill: true });
    expect(issues.map((issue) => describeIssue(issue))).toEqual([
      "Only $544.50 of $1,000.00 can fill within the worst price.",
    ]);
    expect(issues[0]).toMatchObject({
      field: "fillOrKill",
      fix: { field: "amount", text: "544.5" },
    });
    expect(warnings).toEqual([]);
    expect(listTexts({ ...MARKET, amount: "544.50", fillOrKill: true })).toEqual([]);
  });
});

describe("an order with options in words", () => {
  const rules = (feeRate: bigint) => ({ tick: cents(1), feeRate });
  const words = (fields: Partial<TicketForm>, feeRate = 0n) =>
    describeOrder(createOrder(fields), rules(feeRate));
  const options = (fields: Partial<TicketForm>) =>
    listOptionTexts(createOrder(fields).options, BERLIN);

  it("says that an amount is before the fee, if there is one", () => {
    const buy = { type: "market", unit: "amount", amount: "50", price: "", shares: "" } as const;
    expect(words(buy)).toContain("Market buy for $50.00. Fills");
    expect(words(buy, 70_000n)).toContain("Market buy for $50.00 before the fee. Fills");
  });

  it("describes its expiry and whether it can fill immediately", () => {
    expect(words(LIMIT)).toBe(
      "Limit buy of 100 shares at 60¢ or better. Any unfilled shares stay open until you cancel.",
    );
    expect(words({ ...EXPIRING, postOnly: true })).toBe(
      "Limit buy of 100 shares at 60¢ or better. Never fills immediately. Stays open until you cancel or the order expires.",
    );
    expect(options({ ...EXPIRING, postOnly: true })).toEqual([
      // The year is shown if it isn't the current one.
      expect.stringMatching(/^Expires 24 Nov( 2026)?, 12:00$/),
      "Post only",
    ]);
    expect(options(LIMIT)).toEqual([]);
  });

  it("describes whether a market order can fill in part", () => {
    expect(words(MARKET)).toContain("Anything unfilled is canceled.");
    expect(words({ ...MARKET, fillOrKill: true })).toContain("Fills in full immediately at 67¢");
  });
});
