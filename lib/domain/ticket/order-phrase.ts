import { splitWords } from "@/lib/domain/search";
import { EMPTY_FORM, type TicketForm } from "@/lib/domain/ticket/form";
import { formatCents } from "@/lib/domain/ticket/price-field";
import { SIZE_STEP } from "@/lib/domain/ticket/sizes";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { formatMicro, MAX_REQUEST_MICRO, ONE, type Price, price, SCALE } from "@/lib/units";

/** An order in words, parsed: "buy 50 gulls", "sell 20 shares of no rain at 40". */
export type OrderPhrase =
  | {
      kind: "order";
      /** The ticket's fields. The outcome is open. */
      form: TicketForm;
      /** The words to find markets by. */
      search: string;
      /** The same words and "yes" or "no", in lower case, to find the outcome by. */
      words: readonly string[];
    }
  /** The size or the market is missing. */
  | { kind: "incomplete"; action: "BUY" | "SELL" }
  /** The size isn't one of an order. */
  | { kind: "bad_size" }
  /** A sell is sized in shares. */
  | { kind: "sell_in_dollars" }
  /** The limit price isn't between 0 and 100 cents. */
  | { kind: "bad_price" };

const ACTIONS: ReadonlyMap<string, "BUY" | "SELL"> = new Map([
  ["buy", "BUY"],
  ["sell", "SELL"],
]);
const SHARES = /^shares?$/;
const DOLLARS = /^(?:dollars?|usdc?)$/;
/** The words after a price in cents. */
const CENTS = /^(?:c|¢|cents?)$/;
const ANSWERS = /^(?:yes|no)$/;
const HAS_DIGIT = /\p{N}/u;

/**
 * Parses an order in words; null if the text doesn't begin with "buy" or "sell". The size of a buy is in
 * dollars unless it says "shares", a limit price is in cents unless it has a dollar sign. A limit order
 * is sized in shares, so its dollars are converted at its price, rounded down.
 */
export function parseOrderPhrase(text: string): OrderPhrase | null {
  const [verb = "", ...rest] = text.trim().toLowerCase().replace(/\$\s+/g, "$").split(/\s+/);
  const action = ACTIONS.get(verb);
  if (!action) return null;
  const [sizeText = "", ...afterSize] = rest;
  if (!HAS_DIGIT.test(sizeText)) return { kind: "incomplete", action };
  const { unit, others } = cutUnit(sizeText, afterSize);
  const { priceText, words } = cutPrice(others);
  if (action === "SELL" && unit === "amount") return { kind: "sell_in_dollars" };
  const size = parseSize(sizeText);
  if (size === null) return { kind: "bad_size" };
  const limit = priceText === null ? null : parsePrice(priceText);
  if (priceText !== null && limit === null) return { kind: "bad_price" };
  const search = cutAnswer(words).join(" ");
  if (splitWords(search).length === 0) return { kind: "incomplete", action };
  const inDollars = action === "BUY" && unit !== "shares";
  const form = fillIn(action, { size, inDollars, limit });
  return form
    ? { kind: "order", form, search, words: splitWords(words.join(" ")) }
    : { kind: "bad_size" };
}

/** Cuts off a unit after the size, and "of" after that. The unit is null if the words don't name one. */
function cutUnit(sizeText: string, words: readonly string[]) {
  const [first = "", ...rest] = words;
  const isUnit = SHARES.test(first) || DOLLARS.test(first);
  const unit = SHARES.test(first)
    ? ("shares" as const)
    : sizeText.includes("$") || isUnit
      ? ("amount" as const)
      : null;
  const others = isUnit ? rest : words;
  return { unit, others: others[0] === "of" ? others.slice(1) : others };
}

/** Cuts off a price at the end: "at 40", "at 40 cents", "@40c". */
function cutPrice(words: readonly string[]): {
  priceText: string | null;
  words: readonly string[];
} {
  const hasCents = words.length > 2 && CENTS.test(words.at(-1) ?? "");
  const counted = hasCents ? words.slice(0, -1) : words;
  const last = counted.at(-1) ?? "";
  // The price is still to be typed.
  if (last === "at" || last === "@") return { priceText: null, words: counted.slice(0, -1) };
  if (last.startsWith("@")) {
    return { priceText: last.slice(1), words: counted.slice(0, -1) };
  }
  const isPrice = ["at", "@"].includes(counted.at(-2) ?? "") && HAS_DIGIT.test(last);
  if (!isPrice) return { priceText: null, words };
  return { priceText: last, words: counted.slice(0, -2) };
}

/** Cuts off a "yes" or "no" before or after other words: titles rarely have it, outcomes do. */
function cutAnswer(words: readonly string[]): readonly string[] {
  if (words.length < 2) return words;
  if (ANSWERS.test(words[0] ?? "")) return words.slice(1);
  return ANSWERS.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}

/** Parses a size in whole cents or hundredths of a share; null if it is none. */
function parseSize(text: string): bigint | null {
  const typed = readTyped(text, true);
  if (typed.kind !== "number" || typed.decimals > 2) return null;
  return typed.micro > 0n && typed.micro <= MAX_REQUEST_MICRO ? typed.micro : null;
}

const CENTS_PER_DOLLAR = 100n;

function parsePrice(text: string): Price | null {
  const inDollars = text.includes("$");
  const typed = readTyped(text.replace(/c$/, ""), false);
  if (typed.kind !== "number" || typed.decimals > 6) return null;
  const { micro } = typed;
  if (!inDollars && micro % CENTS_PER_DOLLAR !== 0n) return null;
  const at = inDollars ? micro : micro / CENTS_PER_DOLLAR;
  return at > 0n && at < ONE ? price(at) : null;
}

interface Terms {
  /** Micro-USDC or micro-shares. */
  size: bigint;
  inDollars: boolean;
  limit: Price | null;
}

/** Fills in a ticket; null if the dollars buy more shares at the limit than an order can have. */
function fillIn(action: "BUY" | "SELL", { size, inDollars, limit }: Terms): TicketForm | null {
  if (limit === null) {
    const field = inDollars ? "amount" : "shares";
    return { ...EMPTY_FORM, action, type: "market", unit: field, [field]: formatMicro(size) };
  }
  const bought = inDollars ? (size * SCALE) / limit : size;
  const shares = bought - (bought % SIZE_STEP);
  if (shares > MAX_REQUEST_MICRO) return null;
  const cents = formatCents(limit);
  return { ...EMPTY_FORM, action, type: "limit", shares: formatMicro(shares), price: cents };
}
