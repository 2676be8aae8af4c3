import { parseMicro } from "@/lib/units";

/** The text of a number field, parsed. */
export type TypedNumber =
  | { kind: "empty" }
  | { kind: "invalid" }
  /** A number above every limit. */
  | { kind: "too_large" }
  | { kind: "number"; micro: bigint; decimals: number };

const IGNORED = /[\s$¢]/g;
const DIGITS_AND_MARKS = /^(?=.*\d)[\d.,]+$/;
const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;
/** "1,000", the format of all figures in the dashboard. */
const THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;
/** "1.234" is ambiguous: thousands in some locales, three decimals in others. */
const POINT_AND_THREE = /^[1-9]\d{0,2}\.\d{3}$/;
/** "1234,567" has neither grouped thousands nor the two decimals of a size. */
const COMMA_AND_MANY = /^[1-9]\d*,\d{3,}$/;
const MAX_DECIMALS = 6;

/**
 * Parses a number with a comma or point as decimal mark, spaces, currency signs and grouped thousands
 * ("1,000"). Ambiguous text such as "1.234" is invalid rather than guessed. A comma before fewer than
 * three digits is a decimal mark.
 *
 * @param canBeThousands false for prices, which are below 100 cents.
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

/** Returns the whole digits and the decimals; null if the marks are misplaced. */
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
