import { DECIMAL_FIELDS } from "./generated.ts";

/**
 * A decimal number as text, such as "12.5". Money, shares and prices have up to six decimals. Use `toMicro`
 * to calculate with them: JavaScript's numbers round.
 */
export type Decimal = string;

const PLACES = 6;
const SCALE = 10n ** BigInt(PLACES);
const DECIMAL = /^-?\d+(\.\d{1,6})?$/;

/** Converts "12.5" to 12_500_000n: millionths, the unit in which Ante calculates. */
export function toMicro(decimal: Decimal): bigint {
  if (!isDecimal(decimal)) throw new TypeError(describeNoDecimal("the value", decimal));
  const [whole = "", fraction = ""] = decimal.split(".");
  const size = BigInt(whole.replace("-", "")) * SCALE + BigInt(fraction.padEnd(PLACES, "0"));
  return whole.startsWith("-") ? -size : size;
}

/** Converts 12_500_000n, in millionths, to "12.5". */
export function fromMicro(micro: bigint): Decimal {
  const size = micro < 0n ? -micro : micro;
  const fraction = String(size % SCALE)
    .padStart(PLACES, "0")
    .replace(/0+$/, "");
  return `${micro < 0n ? "-" : ""}${size / SCALE}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * Reads JSON with decimal numbers as text. Ante writes at most 2^33 units with six decimals, and
 * JavaScript prints every such number with the digits that were sent.
 */
export function readJson(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) =>
    typeof value === "number" && DECIMAL_FIELDS.has(name) ? String(value) : value,
  );
}

/** Writes a request body: decimal text becomes a number with the same digits. */
export function writeJson(body: object): string {
  const fields = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${writeField(name, value)}`);
  return `{${fields.join()}}`;
}

function writeField(name: string, value: unknown): string {
  if (!DECIMAL_FIELDS.has(name)) return JSON.stringify(value);
  if (!isDecimal(value)) throw new TypeError(describeNoDecimal(name, value));
  return value;
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === "string" && DECIMAL.test(value);
}

function describeNoDecimal(name: string, value: unknown): string {
  return `${name} must be decimal text such as "12.5", with up to ${PLACES} decimals; it is ${typeof value} ${String(value)}`;
}
