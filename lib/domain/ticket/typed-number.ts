import { parseMicro } from "@/lib/units";

/** What a person typed into a field for a number. */
export type TypedNumber =
  | { kind: "empty" }
  | { kind: "invalid" }
  /** A number, but more than anything here can be counted in. */
  | { kind: "too_large" }
  | { kind: "number"; micro: bigint; decimals: number };

const IGNORED = /[\s$¢]/g;
const DIGITS_AND_MARKS = /^(?=.*\d)[\d.,]+$/;
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;
/** "1,000", as every figure here is shown. */
const THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;
/** A point divides decimals here and thousands elsewhere; three digits after it may be either. */
const POINT_AND_THREE = /^[1-9]\d{0,2}\.\d{3}$/;
/** Neither thousands nor the two decimals that a size has. */
const COMMA_AND_MANY = /^[1-9]\d*,\d{3,}$/;
const MAX_DECIMALS = 6;

/**
 * Reads a number as people write it: comma or point as decimal mark, spaces, currency signs, and
 * thousands as they are shown here ("1,000"). What could be a thousand or three decimals ("1.234")
 * is refused, not guessed, where both make sense; a comma before fewer digits divides decimals.
 *
 * @param canBeThousands false for prices, which are below a hundred cents.
 */
export function readTyped(text: string, canBeThousands: boolean): TypedNumber {
  const typed = text.replace(IGNORED, "");
  if (typed === "") return { kind: "empty" };
  if (!DIGITS_AND_MARKS.test(typed)) return { kind: "invalid" };
  if (canBeThousands) {
    if (THOUSANDS.test(typed)) return toNumber(withoutMarks(typed), "");
    if (POINT_AND_THREE.test(typed) || COMMA_AND_MANY.test(typed)) return { kind: "invalid" };
  }
  const parts = split(typed);
  return parts ? toNumber(parts.whole, parts.fraction) : { kind: "invalid" };
}

/** Whole digits and decimals; null when the marks are not where a number has them. */
function split(typed: string): { whole: string; fraction: string } | null {
  const marks = typed.replace(/\d/g, "");
  const last = marks.at(-1);
  if (last === undefined) return { whole: typed, fraction: "" };
  const isOneKind = new Set(marks).size === 1;
  if (isOneKind && marks.length > 1) {
    return GROUPED.test(typed) ? { whole: withoutMarks(typed), fraction: "" } : null;
  }
  const [whole = "", fraction = ""] = cutAt(typed, typed.lastIndexOf(last));
  if (isOneKind) return { whole, fraction };
  const isGrouped = !whole.includes(last) && GROUPED.test(whole);
  return isGrouped ? { whole: withoutMarks(whole), fraction } : null;
}

function toNumber(whole: string, fraction: string): TypedNumber {
  const decimals = fraction.replace(/0+$/, "");
  const text = `${whole === "" ? "0" : whole}.${decimals.slice(0, MAX_DECIMALS).padEnd(1, "0")}`;
  const parsed = parseMicro(text);
  if (!parsed.ok) return { kind: parsed.reason === "too_large" ? "too_large" : "invalid" };
  return { kind: "number", micro: parsed.micro, decimals: decimals.length };
}

const withoutMarks = (text: string) => text.replace(/[.,]/g, "");
const cutAt = (text: string, index: number) => [text.slice(0, index), text.slice(index + 1)];
