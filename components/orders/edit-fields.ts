import { describeIssue } from "@/components/trading/wording";
import { createPriceIssue } from "@/lib/domain/ticket/assess";
import { LOT } from "@/lib/domain/lots";
import { readPrice } from "@/lib/domain/ticket/price-field";
import { readTyped } from "@/lib/domain/ticket/typed-number";
import { parseMicro, type Price, price, type Shares, shares } from "@/lib/units";

/** A field of the form that edits an order: its value, or the sentence that says what is wrong with it. */
export type EditField<Value> = { value: Value; problem: null } | { value: null; problem: string };

/** Reads the price field, in cents. Browser and server share it, so that both say the same. */
export function readPriceField(text: string, tickSize: string): EditField<Price> {
  const tick = parseTick(tickSize);
  const reading = readPrice(text, tick);
  if (reading.kind === "price") return { value: reading.price, problem: null };
  return { value: null, problem: describeIssue(createPriceIssue(reading, tick)) };
}

/** Reads the field of shares, as `readPriceField` does. */
export function readSharesField(text: string): EditField<Shares> {
  const typed = readTyped(text, true);
  if (typed.kind !== "number" || typed.micro === 0n)
    return { value: null, problem: "Enter a number of shares, such as 100." };
  if (typed.micro % LOT !== 0n || typed.decimals > 2)
    return { value: null, problem: describeIssue({ kind: "too_precise", field: "shares" }) };
  return { value: shares(typed.micro), problem: null };
}

export function parseTick(tickSize: string): Price {
  const parsed = parseMicro(tickSize);
  if (!parsed.ok) throw new Error(`${tickSize} is not a tick size`);
  return price(parsed.micro);
}
