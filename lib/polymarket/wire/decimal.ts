import "server-only";
import { z } from "zod";
import { SCALE } from "@/lib/units";

const DECIMAL = /^(\d{1,24})(?:\.(\d{0,40}))?$/;

/**
 * Converts a decimal text or number of the venue to micro-units. Decimals after the sixth are cut,
 * because the chain has no smaller units.
 */
export function toMicro(value: string | number): bigint | null {
  const match = DECIMAL.exec(typeof value === "number" ? plainText(value) : value);
  if (!match) return null;
  const [, whole = "0", fraction = ""] = match;
  return BigInt(whole) * SCALE + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** Formats a number without an exponent: 1.5e-7 is "0.00000015". */
function plainText(value: number): string {
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (!small) return text;
  const [, sign = "", first = "", rest = "", places = "0"] = small;
  return `${sign}0.${"0".repeat(Number(places) - 1)}${first}${rest}`;
}

/** Parses a non-negative decimal to micro-units. */
export const MicroText = z.union([z.string(), z.number()]).transform((value, context) => {
  const micro = toMicro(value);
  if (micro !== null) return micro;
  context.addIssue({ code: "custom", message: "must be a decimal number" });
  return z.NEVER;
});

/** Like `MicroText`; null, undefined and empty text are zero. */
export const MicroTextOrZero = z
  .union([z.string(), z.number(), z.null(), z.undefined()])
  .transform((value) => (value === null || value === undefined || value === "" ? "0" : value))
  .pipe(MicroText);

const SIGNED_DECIMAL = /^(-?)(\d{1,24})(?:\.(\d{0,40}))?$/;
const DIGITS = 6;

/**
 * Rounds a calculated decimal of the venue to the nearest micro-unit. Such figures contain float
 * noise: 0.29999999999999 means 0.3.
 */
export function toNearestMicro(value: string | number): bigint | null {
  const match = SIGNED_DECIMAL.exec(typeof value === "number" ? plainText(value) : value);
  if (!match) return null;
  const [, sign = "", whole = "0", fraction = ""] = match;
  const cut = BigInt(whole) * SCALE + BigInt(fraction.slice(0, DIGITS).padEnd(DIGITS, "0"));
  const magnitude = (fraction[DIGITS] ?? "0") >= "5" ? cut + 1n : cut;
  return sign === "-" ? -magnitude : magnitude;
}

/** Parses a calculated decimal of either sign. */
export const SignedMicro = z.union([z.string(), z.number()]).transform((value, context) => {
  const micro = toNearestMicro(value);
  if (micro !== null) return micro;
  context.addIssue({ code: "custom", message: "must be a decimal number" });
  return z.NEVER;
});
