import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseOrderPhrase } from "@/lib/domain/ticket/order-phrase";
import { MAX_REQUEST_MICRO, parseMicro } from "@/lib/units";

/** Returns the parts of an order that differ from an empty ticket. */
function readOrder(text: string) {
  const phrase = parseOrderPhrase(text);
  if (phrase?.kind !== "order") return phrase;
  const { action, type, amount, shares, price } = phrase.form;
  return [action, type, amount && `$${amount}`, shares, price && `${price}c`, phrase.search]
    .filter((part) => part !== "")
    .join(" ");
}

const kindOf = (text: string) => parseOrderPhrase(text)?.kind ?? null;

describe("an order in words", () => {
  it.each([
    ["buy 50 gulls", "BUY market $50 gulls"],
    ["  BUY   50  Harbour Gulls ", "BUY market $50 harbour gulls"],
    ["buy $50 gulls", "BUY market $50 gulls"],
    ["buy $ 1,000.50 of gulls", "BUY market $1000.5 gulls"],
    ["buy 50 dollars of gulls", "BUY market $50 gulls"],
    ["buy 50 usdc gulls", "BUY market $50 gulls"],
    ["buy 50 shares of gulls", "BUY market 50 gulls"],
    ["buy 1 share gulls", "BUY market 1 gulls"],
    ["sell 20 gulls", "SELL market 20 gulls"],
    ["sell 20.25 shares of gulls", "SELL market 20.25 gulls"],
    ["buy 0.01 gulls", "BUY market $0.01 gulls"],
    ["buy 12,5 gulls", "BUY market $12.5 gulls"],
  ])("reads %j: dollars for a buy and shares for a sell, unless it says so", (text, order) => {
    expect(readOrder(text)).toBe(order);
  });

  it.each([
    ["buy 50 shares gulls at 40", "BUY limit 50 40c gulls"],
    ["buy 50 shares gulls at 40c", "BUY limit 50 40c gulls"],
    ["buy 50 shares gulls at 40¢", "BUY limit 50 40c gulls"],
    ["buy 50 shares gulls at 40 cents", "BUY limit 50 40c gulls"],
    ["buy 50 shares gulls at $0.405", "BUY limit 50 40.5c gulls"],
    ["buy 50 shares gulls @40", "BUY limit 50 40c gulls"],
    ["buy 50 shares gulls @ 40.25", "BUY limit 50 40.25c gulls"],
    ["sell 20 gulls at 0.5", "SELL limit 20 0.5c gulls"],
    ["buy 50 meeting at noon", "BUY market $50 meeting at noon"],
    ["buy 50 gulls at", "BUY market $50 gulls"],
  ])("reads the limit price of %j in cents", (text, order) => {
    expect(readOrder(text)).toBe(order);
  });

  it("converts dollars at a limit price to shares, rounded down to a hundredth", () => {
    expect(readOrder("buy 50 gulls at 40")).toBe("BUY limit 125 40c gulls");
    expect(readOrder("buy $10 gulls at 33")).toBe("BUY limit 30.3 33c gulls");
  });

  it("cuts yes and no off the search, and keeps them to find the outcome", () => {
    for (const text of ["buy 50 no rain", "buy 50 rain no", "buy 50 of no rain"]) {
      const phrase = parseOrderPhrase(text);
      expect(phrase).toMatchObject({ kind: "order", search: "rain" });
      expect(phrase?.kind === "order" && phrase.words).toContain("no");
    }
    expect(parseOrderPhrase("buy 50 no")).toMatchObject({ search: "no", words: ["no"] });
  });

  it("keeps letters of every script in the search", () => {
    expect(readOrder("buy 50 Zürich 東京")).toBe("BUY market $50 zürich 東京");
    const phrase = parseOrderPhrase("buy 50 Zürich");
    expect(phrase?.kind === "order" && phrase.words).toEqual(["zurich"]);
  });
});

describe("a text that is no order", () => {
  it.each(["", " ", "gulls", "buyer 50 gulls", "orders", "50 gulls", "купить 50", "b u y 50"])(
    "%j is left to the search",
    (text) => {
      expect(parseOrderPhrase(text)).toBeNull();
    },
  );

  it.each([
    "buy",
    "sell ",
    "buy gulls",
    "buy $",
    "buy 50",
    "buy 50 shares",
    "buy 50 of",
    "buy 50 !?",
  ])("%j is incomplete", (text) => {
    expect(kindOf(text)).toBe("incomplete");
  });

  it.each([
    ["zero", "buy 0 gulls"],
    ["zero with decimals", "buy 0.00 gulls"],
    ["a negative number", "buy -5 gulls"],
    ["a minus sign of typography", "buy −5 gulls"],
    ["a plus sign", "buy +5 gulls"],
    ["an exponent", "buy 1e3 gulls"],
    ["a negative exponent", "buy 1e-3 gulls"],
    ["a hexadecimal number", "buy 0x10 gulls"],
    ["more than an order can have", "buy 10000000.01 gulls"],
    ["a number beyond all numbers", `buy ${"9".repeat(400)} gulls`],
    ["three decimals", "buy 5.123 gulls"],
    ["an ambiguous mark", "buy 1.234 gulls"],
    ["two points", "buy 1.2.3 gulls"],
    ["a multiplier", "buy 50k gulls"],
    ["another currency", "buy €50 gulls"],
    ["digits of another script", "buy ٥٠ gulls"],
    ["fullwidth digits", "buy ５０ gulls"],
    ["a fraction sign", "buy ½ gulls"],
    ["dollars that buy more shares than an order can have", "buy 10000000 gulls at 1"],
  ])("with %s has a bad size", (_, text) => {
    expect(kindOf(text)).toBe("bad_size");
  });

  it.each(["0", "100", "140", "-4", "1e1", "40.00001", "$1", "$0", "$40", "4.5.6", "४०"])(
    "with the price %j has a bad price",
    (at) => {
      expect(kindOf(`buy 5 shares gulls at ${at}`)).toBe("bad_price");
    },
  );

  it("that sells dollars says so", () => {
    expect(kindOf("sell $50 gulls")).toBe("sell_in_dollars");
    expect(kindOf("sell 50 dollars of gulls")).toBe("sell_in_dollars");
  });

  it("never has a size outside the limits of an order, whatever is typed", () => {
    const parts = fc.constantFrom("buy", "sell", "$", "50", "0", "-1", "1e9", "at", "@", "40", "¢");
    const word = fc.oneof(
      parts,
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.double().map(String),
    );
    fc.assert(
      fc.property(
        fc.constantFrom("buy", "sell"),
        fc.array(word, { maxLength: 7 }),
        (verb, words) => {
          const phrase = parseOrderPhrase([verb, ...words].join(" "));
          if (phrase?.kind !== "order") return;
          const { amount, shares, price } = phrase.form;
          expect([amount, shares].filter((text) => text !== "")).toHaveLength(1);
          const size = parseMicro(amount === "" ? shares : amount);
          expect(size.ok && size.micro > 0n && size.micro <= MAX_REQUEST_MICRO).toBe(true);
          if (price === "") return;
          const cents = parseMicro(price);
          expect(cents.ok && cents.micro > 0n && cents.micro < 100_000_000n).toBe(true);
        },
      ),
    );
  });
});
