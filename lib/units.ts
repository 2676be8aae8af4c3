/**
 * Money, shares and prices are integers in millionths ("micro"), with branded types so that they can't
 * be mixed. USDC and outcome tokens have six decimals on chain, so all three use the same scale.
 */
declare const unit: unique symbol;
type Micro<Name extends string> = bigint & { readonly [unit]: Name };

/** Micro-USDC. */
export type Usdc = Micro<"usdc">;
/** Micro-shares of one outcome token. */
export type Shares = Micro<"shares">;
/** Micro-USDC per share; 1_000_000n is one dollar. */
export type Price = Micro<"price">;

export type Rounding = "down" | "up";

export const SCALE = 1_000_000n;
const DECIMALS = 6;
const CENT = SCALE / 100n;
/** Up to 2^33 units, distinct micro values are distinct JSON numbers. */
export const MAX_MICRO = 8_589_934_591_999_999n;
/** The maximum shares or USDC of one order. Custody does not sign larger orders. */
export const MAX_REQUEST_MICRO = 10_000_000_000_000n;

export const ONE = SCALE as Price;
export const NO_USDC = 0n as Usdc;
export const NO_SHARES = 0n as Shares;

export const usdc = (micro: bigint): Usdc => micro as Usdc;
export const shares = (micro: bigint): Shares => micro as Shares;
export const price = (micro: bigint): Price => micro as Price;

/** Divides non-negative integers with the caller's rounding. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const isExact = quotient * divisor === dividend;
  return rounding === "up" && !isExact ? quotient + 1n : quotient;
}

/** Returns `size * price`. Round down what a user receives, up what a user pays or reserves. */
export function notional(size: Shares, at: Price, rounding: Rounding): Usdc {
  return divide(size * at, SCALE, rounding) as Usdc;
}

/** Returns the average price per share of a non-empty position, cut to six decimals. */
export function averagePrice(cost: Usdc, size: Shares): Price {
  return divide(cost * SCALE, size, "down") as Price;
}

/**
 * Returns `part` in percent of `whole`, scale 6: 12_500_000n is 12.5 %. Returns 0 if `whole` is 0. The
 * result is bounded by MAX_MICRO, because a gain on a tiny cost can exceed any bound.
 */
export function computePercent(part: Usdc, whole: Usdc): bigint {
  if (whole <= 0n) return 0n;
  const percent = (part * 100n * SCALE) / whole;
  return larger(smaller(percent, MAX_MICRO), -MAX_MICRO);
}

/** Returns the price of the other outcome of a binary market. */
export function complement(of: Price): Price {
  return (ONE - of) as Price;
}

type Unit = Usdc | Shares | Price;
export const add = <T extends Unit>(a: T, b: T): T => ((a as bigint) + (b as bigint)) as T;
export const subtract = <T extends Unit>(a: T, b: T): T => ((a as bigint) - (b as bigint)) as T;
export const smaller = <T extends bigint>(a: T, b: T): T => (a < b ? a : b);
export const larger = <T extends bigint>(a: T, b: T): T => (a > b ? a : b);
export const sum = <T extends Unit>(values: Iterable<T>): T => {
  let total = 0n;
  for (const value of values) total += value;
  return total as T;
};

export type ParsedMicro =
  | { ok: true; micro: bigint }
  | { ok: false; reason: "not_a_number" | "too_many_decimals" | "too_large" };

const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?$/;
const EXPONENT_TEXT = /^-?\d+(?:\.\d+)?e([+-])\d+$/;

/**
 * Parses decimal text exactly. JSON numbers become money only by `parseMicro(String(n))`: the shortest
 * round-trip text of a double is exact, a multiplication is not.
 */
export function parseMicro(text: string): ParsedMicro {
  const exponent = EXPONENT_TEXT.exec(text);
  if (exponent) {
    return { ok: false, reason: exponent[1] === "-" ? "too_many_decimals" : "too_large" };
  }
  const match = DECIMAL_TEXT.exec(text);
  if (!match) return { ok: false, reason: "not_a_number" };
  const [, sign = "", whole = "", fraction = ""] = match;
  if (fraction.length > DECIMALS) return { ok: false, reason: "too_many_decimals" };
  const magnitude = BigInt(whole) * SCALE + BigInt(fraction.padEnd(DECIMALS, "0"));
  if (magnitude > MAX_MICRO) return { ok: false, reason: "too_large" };
  return { ok: true, micro: sign === "-" ? -magnitude : magnitude };
}

/** Formats the shortest decimal text: 1_500_000n is "1.5". */
export function formatMicro(micro: bigint): string {
  const magnitude = micro < 0n ? -micro : micro;
  const fraction = (magnitude % SCALE).toString().padStart(DECIMALS, "0").replace(/0+$/, "");
  const whole = (magnitude / SCALE).toString();
  return `${micro < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Formats decimal text with at least two decimals: "5.00", "0.123456". */
export function formatUsdc(micro: bigint): string {
  const [whole = "0", fraction = ""] = formatMicro(micro).split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** Formats a non-negative amount in dollars and cents, for messages: "$6,631.83". */
export function formatDollars(micro: bigint, rounding: Rounding | "nearest"): string {
  const cents =
    rounding === "nearest"
      ? divide(micro + CENT / 2n, CENT, "down")
      : divide(micro, CENT, rounding);
  const whole = (cents / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return `$${whole}.${(cents % 100n).toString().padStart(2, "0")}`;
}

/** Formats a price in cents, for messages: 445_000n is "44.5¢". */
export const formatCents = (micro: bigint): string => `${formatMicro(micro * 100n)}¢`;

/** Converts to a JSON number. Throws if the value does not fit. */
export function microToNumber(micro: bigint): number {
  const magnitude = micro < 0n ? -micro : micro;
  if (magnitude > MAX_MICRO) throw new Error(`micro value ${micro} does not fit a JSON number`);
  // Both operands are exact and the quotient is rounded once, like parsing the decimal text.
  return Number(micro) / 1_000_000;
}
