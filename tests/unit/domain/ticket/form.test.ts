import { describe, expect, it } from "vitest";
import {
  encodeDraft,
  type FormEvent,
  reduceForm,
  chooseSizeField,
  type TicketForm,
} from "@/lib/domain/ticket/form";
import { parseFormQuery, toFormQuery } from "@/lib/domain/ticket/query";
import { cents, ticketForm } from "@/tests/support/domain/ticket";

const TICK = cents(1);
const after = (form: Partial<TicketForm>, ...events: FormEvent[]) =>
  events.reduce(reduceForm, ticketForm(form));

describe("the ticket's form", () => {
  it("sizes a market buy in USDC or shares and all other orders in shares", () => {
    const unit = "amount";
    expect(chooseSizeField({ action: "BUY", type: "market", unit })).toBe("amount");
    expect(chooseSizeField({ action: "SELL", type: "market", unit })).toBe("shares");
    expect(chooseSizeField({ action: "BUY", type: "limit", unit })).toBe("shares");
    expect(chooseSizeField({ action: "BUY", type: "market", unit: "shares" })).toBe("shares");
  });

  it("shows a field's error after it was left, until it is changed", () => {
    const left = after({}, { kind: "leave", field: "amount", tick: TICK });
    expect(left.shown).toEqual(["amount"]);
    expect(reduceForm(left, { kind: "type", field: "amount", text: "2" }).shown).toEqual([]);
  });

  it("shows all errors after a submit", () => {
    const sent = after({ type: "limit" }, { kind: "send" });
    expect(sent.shown).toEqual(["shares", "price", "expires"]);
  });

  it("keeps the typed texts when side, type or outcome change", () => {
    const form = after(
      { amount: "25", price: "62" },
      { kind: "choose", choice: { action: "SELL", type: "limit", outcome: 1 } },
    );
    expect(form).toMatchObject({ action: "SELL", type: "limit", outcome: 1, amount: "25" });
    expect(form.price).toBe("62");
  });

  it("rounds a price to the grid in the user's favor when its field is left, and records it", () => {
    const leave = { kind: "leave", field: "price", tick: TICK } as const;
    const buy = after({ type: "limit", price: "62,4" }, leave);
    expect(buy).toMatchObject({ price: "62", roundedTo: cents(62) });
    expect(after({ type: "limit", action: "SELL", price: "62.4" }, leave).price).toBe("63");
    const fine = after({ type: "limit", price: "62" }, leave);
    expect(fine).toMatchObject({ price: "62", roundedTo: null });
  });

  it("never changes a price that could be a fraction of a dollar", () => {
    const leave = { kind: "leave", field: "price", tick: TICK } as const;
    expect(after({ type: "limit", price: "0.62" }, leave).price).toBe("0.62");
  });

  it("takes the price of a book row with the first click, its shares with the second", () => {
    const row = { kind: "take", outcome: 0, price: cents(61), shares: "420" } as const;
    const once = after({ shares: "7" }, row);
    expect(once).toMatchObject({ type: "limit", price: "61", shares: "7" });
    expect(reduceForm(once, row).shares).toBe("420");
    const changed = reduceForm(once, { kind: "type", field: "price", text: "60" });
    expect(reduceForm(changed, row).shares).toBe("7");
  });

  it("takes the outcome of the row's book, and records it until the user chooses", () => {
    const row = { kind: "take", outcome: 1, price: cents(38), shares: "420" } as const;
    const once = after({ type: "limit", outcome: 0, taken: cents(38), shares: "7" }, row);
    expect(once).toMatchObject({ outcome: 1, price: "38", shares: "7", isSwitched: true });
    const twice = reduceForm(once, row);
    expect(twice).toMatchObject({ outcome: 1, shares: "420", isSwitched: true });
    expect(reduceForm(twice, { kind: "choose", choice: { outcome: 0 } }).isSwitched).toBe(false);
    expect(after({ outcome: 1 }, row).isSwitched).toBe(false);
  });

  it("steps by ticks from the typed price, or from the market's price", () => {
    const step = { kind: "step", ticks: 10, tick: TICK, start: cents(50) } as const;
    expect(after({ price: "62" }, step).price).toBe("72");
    expect(after({ price: "" }, step).price).toBe("50");
  });

  it("restores a draft only into an empty form: the URL has priority", () => {
    const restore = { kind: "restore", draft: DRAFT, isAskedFor: false } as const;
    expect(after({}, restore)).toMatchObject(DRAFT);
    expect(after({ shares: "3" }, restore)).toMatchObject({ amount: "", shares: "3", price: "" });
  });

  it("never restores a draft partially", () => {
    const other = { kind: "restore", draft: DRAFT, isAskedFor: true } as const;
    expect(after({ action: "BUY", type: "limit" }, other)).toMatchObject({ shares: "", price: "" });
    expect(after({ action: "SELL", type: "limit" }, other)).toMatchObject(DRAFT);
    const second = { ...other, isAskedFor: false };
    expect(after({ outcome: 1 }, second)).toMatchObject({ outcome: 1, shares: "", price: "" });
  });

  it("takes over the size of a buy of another market, without its price and outcome", () => {
    const draft = { ...DRAFT, action: "BUY", amount: "30", price: "62", outcome: 1 } as const;
    const adopt = { kind: "adopt", draft } as const;
    const { type, unit, amount, shares } = draft;
    const empty = { action: "BUY", outcome: 0, price: "" } as const;
    expect(after(empty, adopt)).toMatchObject({ ...empty, type, unit, amount, shares });
  });

  it("takes over nothing into a filled form, into a sale or from a sale", () => {
    const adopt = { kind: "adopt", draft: { ...DRAFT, action: "BUY", amount: "30" } } as const;
    expect(after({ action: "BUY", amount: "5" }, adopt).amount).toBe("5");
    expect(after({ action: "SELL" }, adopt).amount).toBe("");
    const sale = { kind: "adopt", draft: { ...DRAFT, action: "SELL", amount: "30" } } as const;
    expect(after({ action: "BUY" }, sale).amount).toBe("");
  });

  it("stores only the typed fields in a draft", () => {
    const form = ticketForm({ ...DRAFT, shown: ["price"], roundedTo: cents(62) });
    expect(JSON.parse(encodeDraft(form))).toEqual(DRAFT);
  });

  it("turns options on and off, and keeps the expiry's text", () => {
    const on = after(
      { type: "limit", expires: "2026-11-24T12:00" },
      { kind: "expire", expiry: "time" },
      { kind: "switch", option: "postOnly", isOn: true },
    );
    expect(on).toMatchObject({ expiry: "time", postOnly: true });
    const off = reduceForm(on, { kind: "expire", expiry: "never" });
    expect(off).toMatchObject({ expiry: "never", expires: "2026-11-24T12:00", postOnly: true });
  });

  it("shows an expiry's error after its field was left or the form was submitted", () => {
    const form = { type: "limit", expiry: "time" } as const;
    expect(after(form, { kind: "leave", field: "expires", tick: TICK }).shown).toEqual(["expires"]);
    expect(after(form, { kind: "send" }).shown).toContain("expires");
  });

  it("shows the server's refusal at its field until the next change", () => {
    const refused = after(
      { shares: "7" },
      { kind: "refuse", field: "shares", text: "Too many shares." },
    );
    expect(refused.refused).toEqual({ field: "shares", text: "Too many shares." });
    for (const event of [
      { kind: "type", field: "shares", text: "6" },
      { kind: "choose", choice: { unit: "shares" } },
      { kind: "expire", expiry: "today" },
      { kind: "send" },
    ] as const) {
      expect(reduceForm(refused, event).refused).toBe(null);
    }
  });

  it("clears the sizes after an order, and keeps the other fields", () => {
    const done = after({ type: "limit", amount: "5", shares: "9", price: "62" }, { kind: "clear" });
    expect(done).toMatchObject({ type: "limit", amount: "", shares: "", price: "62" });
  });
});

const DRAFT = {
  outcome: 0,
  action: "SELL",
  type: "limit",
  unit: "amount",
  amount: "",
  shares: "25",
  price: "62",
  expiry: "time",
  expires: "2026-11-24T12:00",
  postOnly: true,
  fillOrKill: false,
} as const;

describe("a ticket from a URL", () => {
  it("parses price as a fraction, like the API, and cents as the field's text", () => {
    expect(parseFormQuery({ price: "0.5" }, "no", "market")).toMatchObject({
      type: "limit",
      price: "50",
    });
    expect(parseFormQuery({ cents: "0.5", price: "0.62" }, "no", "market").price).toBe("0.5");
    expect(parseFormQuery({ price: "62" }, "no", "market").price).toBe("");
  });

  it("selects token, side and type, and defaults to a buy with the user's order type", () => {
    const form = parseFormQuery({ token: "no", side: "sell", type: "limit" }, "no", "market");
    expect(form).toMatchObject({ outcome: 1, action: "SELL", type: "limit" });
    expect(parseFormQuery({ side: "?", type: "?" }, "no", "limit")).toMatchObject({
      outcome: 0,
      action: "BUY",
      type: "limit",
    });
  });

  it("is the same after a round trip through its URL", () => {
    const form = ticketForm({ type: "limit", action: "SELL", price: "62,5", shares: "1 000" });
    expect(parseFormQuery(toFormQuery(form, "yes"), "no", "market")).toEqual(form);
    const spend = ticketForm({ amount: "25" });
    expect(parseFormQuery(toFormQuery(spend, "yes"), "no", "limit")).toEqual(spend);
    const count = ticketForm({ unit: "shares", shares: "25" });
    expect(parseFormQuery(toFormQuery(count, "yes"), "no", "limit")).toEqual(count);
  });

  it("has only the options of its order type", () => {
    const options = { expiry: "time", expires: "2026-11-24T12:00", postOnly: true } as const;
    const limit = ticketForm({ type: "limit", price: "62", shares: "5", ...options });
    expect(toFormQuery(limit, "yes")).toMatchObject({
      expiry: "time",
      expires: "2026-11-24T12:00",
      postOnly: "true",
    });
    expect(parseFormQuery(toFormQuery(limit, "yes"), "no", "market")).toEqual(limit);
    const market = ticketForm({ amount: "25", fillOrKill: true });
    expect(parseFormQuery(toFormQuery(market, "yes"), "no", "limit")).toEqual(market);
    const mixed = toFormQuery({ ...market, ...options }, "yes");
    expect(Object.keys(mixed)).toEqual(["token", "side", "type", "fillOrKill", "unit", "amount"]);
  });

  it("sizes a market buy in shares if the URL has shares and no amount", () => {
    expect(parseFormQuery({ shares: "5" }, "no", "market").unit).toBe("shares");
    expect(parseFormQuery({ shares: "5", amount: "9" }, "no", "market").unit).toBe("amount");
    expect(parseFormQuery({ unit: "shares" }, "no", "market").unit).toBe("shares");
  });

  it("ignores unknown option values", () => {
    const form = parseFormQuery({ expiry: "1h", postOnly: "1", fillOrKill: "yes" }, "no", "limit");
    expect(form).toMatchObject({ expiry: "never", postOnly: false, fillOrKill: false });
  });

  it("keeps the expiry's text while the expiry is off", () => {
    const form = parseFormQuery({ expiry: "", expires: "2026-11-24T12:00" }, "no", "limit");
    expect(form).toMatchObject({ expiry: "never", expires: "2026-11-24T12:00" });
  });
});
