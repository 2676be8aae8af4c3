import { describe, expect, it } from "vitest";
import { type FormEvent, reduceForm, sizeField, type TicketForm } from "@/lib/domain/ticket/form";
import { formFromQuery, queryOfForm } from "@/lib/domain/ticket/query";
import { cents, ticketForm } from "@/tests/support/ticket";

const TICK = cents(1);
const after = (form: Partial<TicketForm>, ...events: FormEvent[]) =>
  events.reduce(reduceForm, ticketForm(form));

describe("the ticket's form", () => {
  it("sizes a market buy in money and everything else in shares", () => {
    expect(sizeField({ action: "BUY", type: "market" })).toBe("amount");
    expect(sizeField({ action: "SELL", type: "market" })).toBe("shares");
    expect(sizeField({ action: "BUY", type: "limit" })).toBe("shares");
  });

  it("shows errors of a field once it was left, and no longer once it is changed", () => {
    const left = after({}, { kind: "leave", field: "amount", tick: TICK });
    expect(left.shown).toEqual(["amount"]);
    expect(reduceForm(left, { kind: "type", field: "amount", text: "2" }).shown).toEqual([]);
  });

  it("shows every error once somebody wants to send it", () => {
    const sent = after({ type: "limit" }, { kind: "send" });
    expect(sent.shown).toEqual(["shares", "price"]);
  });

  it("keeps what was typed when side, type or outcome change", () => {
    const form = after(
      { amount: "25", price: "62" },
      { kind: "choose", choice: { action: "SELL", type: "limit", outcome: 1 } },
    );
    expect(form).toMatchObject({ action: "SELL", type: "limit", outcome: 1, amount: "25" });
    expect(form.price).toBe("62");
  });

  it("moves a price onto the grid when its field is left, in the user's favor, and says so", () => {
    const leave = { kind: "leave", field: "price", tick: TICK } as const;
    const buy = after({ type: "limit", price: "62,4" }, leave);
    expect(buy).toMatchObject({ price: "62", roundedTo: cents(62) });
    expect(after({ type: "limit", action: "SELL", price: "62.4" }, leave).price).toBe("63");
    const fine = after({ type: "limit", price: "62" }, leave);
    expect(fine).toMatchObject({ price: "62", roundedTo: null });
  });

  it("never changes a price that may be a fraction: that is asked about", () => {
    const leave = { kind: "leave", field: "price", tick: TICK } as const;
    expect(after({ type: "limit", price: "0.62" }, leave).price).toBe("0.62");
  });

  it("takes the price of a book row at the first click, its shares at the second", () => {
    const row = { kind: "take", outcome: 0, price: cents(61), shares: "420" } as const;
    const once = after({ shares: "7" }, row);
    expect(once).toMatchObject({ type: "limit", price: "61", shares: "7" });
    expect(reduceForm(once, row).shares).toBe("420");
    const changed = reduceForm(once, { kind: "type", field: "price", text: "60" });
    expect(reduceForm(changed, row).shares).toBe("7");
  });

  it("takes the outcome of the book that a row is in, and says so until something is chosen", () => {
    const row = { kind: "take", outcome: 1, price: cents(38), shares: "420" } as const;
    const once = after({ type: "limit", outcome: 0, taken: cents(38), shares: "7" }, row);
    expect(once).toMatchObject({ outcome: 1, price: "38", shares: "7", isTurned: true });
    const twice = reduceForm(once, row);
    expect(twice).toMatchObject({ outcome: 1, shares: "420", isTurned: true });
    expect(reduceForm(twice, { kind: "choose", choice: { outcome: 0 } }).isTurned).toBe(false);
    expect(after({ outcome: 1 }, row).isTurned).toBe(false);
  });

  it("steps by the tick from the price there is, or from the market's", () => {
    const step = { kind: "step", ticks: 10, tick: TICK, start: cents(50) } as const;
    expect(after({ price: "62" }, step).price).toBe("72");
    expect(after({ price: "" }, step).price).toBe("50");
  });

  it("brings kept texts back only when nothing is filled in: an address goes first", () => {
    const restore = { kind: "restore", draft: DRAFT, isAskedFor: false } as const;
    expect(after({}, restore)).toMatchObject(DRAFT);
    expect(after({ shares: "3" }, restore)).toMatchObject({ amount: "", shares: "3", price: "" });
  });

  it("never brings a draft back as another order: whole, or not at all", () => {
    const other = { kind: "restore", draft: DRAFT, isAskedFor: true } as const;
    expect(after({ action: "BUY", type: "limit" }, other)).toMatchObject({ shares: "", price: "" });
    expect(after({ action: "SELL", type: "limit" }, other)).toMatchObject(DRAFT);
    const second = { ...other, isAskedFor: false };
    expect(after({ outcome: 1 }, second)).toMatchObject({ outcome: 1, shares: "", price: "" });
  });

  it("empties the sizes after an order, and keeps the rest for the next one", () => {
    const done = after({ type: "limit", amount: "5", shares: "9", price: "62" }, { kind: "clear" });
    expect(done).toMatchObject({ type: "limit", amount: "", shares: "", price: "62" });
  });
});

const DRAFT = {
  outcome: 0,
  action: "SELL",
  type: "limit",
  amount: "",
  shares: "25",
  price: "62",
} as const;

describe("a ticket from an address", () => {
  it("reads prices as fractions, as the interface has them, and the field's own text as cents", () => {
    expect(formFromQuery({ price: "0.5" }, "no", "market")).toMatchObject({
      type: "limit",
      price: "50",
    });
    expect(formFromQuery({ cents: "0.5", price: "0.62" }, "no", "market").price).toBe("0.5");
    expect(formFromQuery({ price: "62" }, "no", "market").price).toBe("");
  });

  it("chooses by token, side and type, and falls back to a buy of the user's own type", () => {
    const form = formFromQuery({ token: "no", side: "sell", type: "limit" }, "no", "market");
    expect(form).toMatchObject({ outcome: 1, action: "SELL", type: "limit" });
    expect(formFromQuery({ side: "?", type: "?" }, "no", "limit")).toMatchObject({
      outcome: 0,
      action: "BUY",
      type: "limit",
    });
  });

  it("is the same again from the address of itself", () => {
    const form = ticketForm({ type: "limit", action: "SELL", price: "62,5", shares: "1 000" });
    expect(formFromQuery(queryOfForm(form, "yes"), "no", "market")).toEqual(form);
    const spend = ticketForm({ amount: "25" });
    expect(formFromQuery(queryOfForm(spend, "yes"), "no", "limit")).toEqual(spend);
  });
});
