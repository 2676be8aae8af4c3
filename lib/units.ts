/**
 * Money, shares and prices are integers of one millionth ("micro"), branded so that they cannot be
 * mixed. USDC and outcome tokens both have six decimals on chain, so one scale serves all three.
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
/** Below 2^33 units a JSON number tells every micro value from its neighbors. */
export const MAX_MICRO = 8_589_934_591_999_999n;
/** The most that a request may name: what we compute from it still fits a JSON number. */
export const MAX_REQUEST_MICRO = 999_999_999_999_999n;

export const ONE = SCALE as Price;
export const NO_USDC = 0n as Usdc;
export const NO_SHARES = 0n as Shares;

export const usdc = (micro: bigint): Usdc => micro as Usdc;
export const shares = (micro: bigint): Shares => micro as Shares;
export const price = (micro: bigint): Price => micro as Price;

/** Integer division of non-negative numbers with the caller's rounding. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const isExact = quotient * divisor === dividend;
  return rounding === "up" && !isExact ? quotient + 1n : quotient;
}

/** `size * price`: round down what a user receives, up what a user pays or reserves. */
export function notional(size: Shares, at: Price, rounding: Rounding): Usdc {
  return divide(size * at, SCALE, rounding) as Usdc;
}

/** Average price per share of a non-zero position, cut to six decimals. */
export function averagePrice(cost: Usdc, size: Shares): Price {
  return divide(cost * SCALE, size, "down") as Price;
}

/** The price of the other outcome of a binary market. */
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
 * Decimal text to micro, exactly. `parseMicro(String(n))` is the only way a JSON number becomes
 * money: the shortest round-trip text of a double is exact, multiplying it is not.
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

/** Micro to the shortest decimal text: 1_500_000n is "1.5". */
export function formatMicro(micro: bigint): string {
  const magnitude = micro < 0n ? -micro : micro;
  const fraction = (magnitude % SCALE).toString().padStart(DECIMALS, "0").replace(/0+$/, "");
  const whole = (magnitude / SCALE).toString();
  return `${micro < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Micro to text with at least two decimals, for sentences about money: "5.00", "0.123456". */
export function formatUsdc(micro: bigint): string {
  const [whole = "0", fraction = ""] = formatMicro(micro).split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** Micro to a JSON number. Throws when the value would not survive. */
export function microToNumber(micro: bigint): number {
  const magnitude = micro < 0n ? -micro : micro;
  if (magnitude > MAX_MICRO) throw new Error(`micro value ${micro} does not fit a JSON number`);
  // Both are exact integers and the quotient is rounded once, as reading the decimal text would.
  return Number(micro) / 1_000_000;
}
