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
  /** A check on the micro value. `rule` is its message. */
  accepts: (micro: bigint) => boolean;
  rule: string;
  /** How many decimals a caller can send; 6 by default. */
  decimals?: number;
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
          message: describeProblem(parsed.reason, bounds),
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

function describeProblem(
  reason: "not_a_number" | "too_many_decimals" | "too_large",
  bounds: Bounds | null,
): string {
  if (reason === "too_many_decimals") return `must have at most ${bounds?.decimals ?? 6} decimals`;
  return bounds?.rule ?? "must be a finite number";
}

const positive: Bounds = {
  accepts: (micro) => micro > 0n && micro <= MAX_REQUEST_MICRO,
  rule: `must be greater than 0 and at most ${formatMicro(MAX_REQUEST_MICRO)}`,
};
/** Sizes come in hundredths of a share. */
const lots: Bounds = { ...positive, decimals: 2 };
const insideUnit: Bounds = {
  accepts: (micro) => micro > 0n && micro < ONE,
  rule: "must be greater than 0 and less than 1",
};

/** JSON.parse reads 1e309 as Infinity, which gets the message of a number that is too large. */
function createNumberSchema({ rule }: Bounds): z.ZodNumber {
  return z.number({
    error: ({ input }) => (typeof input === "number" ? rule : "must be a number"),
  });
}

/** Request fields. */
export const AmountInput = microNumber<Usdc>(
  usdc,
  createNumberSchema(positive).gt(0, positive.rule),
  positive,
);
export const SharesInput = microNumber<Shares>(
  shares,
  createNumberSchema(lots).gt(0, lots.rule),
  lots,
);
/** Shares of a split or merge, which has no lots. */
export const ExactSharesInput = microNumber<Shares>(
  shares,
  createNumberSchema(positive).gt(0, positive.rule),
  positive,
);
export const PriceInput = microNumber<Price>(
  price,
  createNumberSchema(insideUnit).gt(0, insideUnit.rule).lt(1, insideUnit.rule),
  insideUnit,
);

/** Response fields. */
export const UsdcNumber = microNumber<Usdc>(usdc, z.number(), null);
export const SharesNumber = microNumber<Shares>(shares, z.number(), null);
export const PriceNumber = microNumber<Price>(price, z.number(), null);
/** A plain ratio, scale 6, such as a percentage or a fee rate. */
export const RatioNumber = microNumber<bigint>((micro) => micro, z.number(), null);

/** An instant in a request: ISO 8601 with seconds, and Z or an offset. */
export const InstantInput = z.codec(
  z.iso.datetime({ offset: true, error: "must be an ISO instant such as 2026-11-21T12:00:00Z" }),
  z.date(),
  { decode: (text) => new Date(text), encode: (date) => date.toISOString() },
);

/** ISO 8601 UTC with milliseconds. */
export const Instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
