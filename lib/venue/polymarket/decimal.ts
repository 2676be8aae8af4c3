import "server-only";
import { z } from "zod";
import { SCALE } from "@/lib/units";

const DECIMAL = /^(\d{1,24})(?:\.(\d{0,40}))?$/;

/**
 * Decimal text or a number of the venue as micro-units, exactly where it has up to six decimals;
 * what is finer is cut, because no such share or cent exists on the chain.
 */
export function toMicro(value: string | number): bigint | null {
  const match = DECIMAL.exec(typeof value === "number" ? plainText(value) : value);
  if (!match) return null;
  const [, whole = "0", fraction = ""] = match;
  return BigInt(whole) * SCALE + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** A number without an exponent: 1.5e-7 is "0.00000015". */
export function plainText(value: number): string {
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (!small) return text;
  const [, sign = "", first = "", rest = "", places = "0"] = small;
  return `${sign}0.${"0".repeat(Number(places) - 1)}${first}${rest}`;
}

/** A non-negative decimal of the wire, as micro-units. */
export const MicroText = z.union([z.string(), z.number()]).transform((value, context) => {
  const micro = toMicro(value);
  if (micro !== null) return micro;
  context.addIssue({ code: "custom", message: "must be a decimal number" });
  return z.NEVER;
});

/** As `MicroText`; nothing and empty text count as zero. */
export const MicroTextOrZero = z
  .union([z.string(), z.number(), z.null(), z.undefined()])
  .transform((value) => (value === null || value === undefined || value === "" ? "0" : value))
  .pipe(MicroText);
