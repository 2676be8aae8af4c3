import { z } from "zod";
import {
  formatMicro,
  MAX_REQUEST_MICRO,
  microToNumber,
  ONE,
  parseMicro,
  type Price,
  price,
  type Shares,
  shares,
  type Usdc,
  usdc,
} from "@/lib/units";

/**
 * Codecs between JSON numbers and branded micro-units. Requests are decoded, responses encoded; the
 * OpenAPI document shows the JSON side of both.
 */
interface Bounds {
  /** A check on the micro value, with the sentence that names the rule. */
  accepts: (micro: bigint) => boolean;
  rule: string;
}

function microNumber<T extends bigint>(
  brand: (micro: bigint) => T,
  wire: z.ZodNumber,
  bounds: Bounds | null,
) {
  const domain = z.custom<T>((value) => typeof value === "bigint");
  return z.codec(wire, domain, {
    decode: (value, context) => {
      const parsed = parseMicro(String(value));
      if (!parsed.ok) {
        context.issues.push({
          code: "custom",
          input: value,
          message: PROBLEMS[parsed.reason],
          params: parsed.reason === "too_many_decimals" ? { errorCode: "PRECISION_TOO_HIGH" } : {},
        });
        return z.NEVER;
      }
      if (bounds && !bounds.accepts(parsed.micro)) {
        context.issues.push({ code: "custom", input: value, message: bounds.rule });
        return z.NEVER;
      }
      return brand(parsed.micro);
    },
    encode: (value) => microToNumber(value),
  });
}

const PROBLEMS = {
  not_a_number: "must be a finite number",
  too_many_decimals: "may have at most 6 decimals",
  too_large: `must be at most ${formatMicro(MAX_REQUEST_MICRO)}`,
} as const;

const positive: Bounds = {
  accepts: (micro) => micro > 0n && micro <= MAX_REQUEST_MICRO,
  rule: `must be greater than 0 and at most ${formatMicro(MAX_REQUEST_MICRO)}`,
};
const insideUnit: Bounds = {
  accepts: (micro) => micro > 0n && micro < ONE,
  rule: "must be greater than 0 and less than 1",
};

/** Request fields. */
export const AmountInput = microNumber<Usdc>(usdc, z.number().gt(0), positive);
export const SharesInput = microNumber<Shares>(shares, z.number().gt(0), positive);
export const PriceInput = microNumber<Price>(price, z.number().gt(0).lt(1), insideUnit);

/** Response fields. */
export const UsdcNumber = microNumber<Usdc>(usdc, z.number(), null);
export const SharesNumber = microNumber<Shares>(shares, z.number(), null);
export const PriceNumber = microNumber<Price>(price, z.number(), null);
/** A plain ratio, scale 6, such as a percentage or a fee rate. */
export const RatioNumber = microNumber<bigint>((micro) => micro, z.number(), null);

/** ISO 8601 UTC with milliseconds. */
export const Instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
