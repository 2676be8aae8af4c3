import "server-only";
import { z } from "zod";
import { SCALE } from "@/lib/units";
import { plainText } from "@/lib/venue/polymarket/decimal";

const DECIMAL = /^(-?)(\d{1,24})(?:\.(\d{0,40}))?$/;
const DIGITS = 6;

/**
 * A decimal that the venue calculated as micro-units, to the nearest one. Such figures carry the
 * noise of its floats: 0.29999999999999 means 0.3.
 */
export function toNearestMicro(value: string | number): bigint | null {
  const match = DECIMAL.exec(typeof value === "number" ? plainText(value) : value);
  if (!match) return null;
  const [, sign = "", whole = "0", fraction = ""] = match;
  const cut = BigInt(whole) * SCALE + BigInt(fraction.slice(0, DIGITS).padEnd(DIGITS, "0"));
  const magnitude = (fraction[DIGITS] ?? "0") >= "5" ? cut + 1n : cut;
  return sign === "-" ? -magnitude : magnitude;
}

/** A calculated decimal of the wire, of either sign. */
export const SignedMicro = z.union([z.string(), z.number()]).transform((value, context) => {
  const micro = toNearestMicro(value);
  if (micro !== null) return micro;
  context.addIssue({ code: "custom", message: "must be a decimal number" });
  return z.NEVER;
});
