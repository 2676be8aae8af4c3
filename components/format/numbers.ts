/**
 * Formats every number of the dashboard. Inputs are the API's JSON numbers, which are exact decimals
 * and only formatted here.
 */
export const MINUS = "\u2212";
export const NOTHING = "—";

/**
 * Amounts are shown to the nearest cent (ADR 8). Only where an amount is compared with another one, what is
 * needed is rounded up and what there is of it down.
 */
export type MoneyRounding = "nearest" | "down" | "up";

const money = {
  nearest: new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }),
  down: new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    roundingMode: "floor",
  }),
  up: new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", roundingMode: "ceil" }),
} as const;
const compactMoney = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1,
});
const wholeMoney = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const signedMoney = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  signDisplay: "exceptZero",
});
/** Six decimals, as many as an amount has. */
const EXACT = { style: "currency", currency: "USD", minimumFractionDigits: 6 } as const;
const exactMoney = new Intl.NumberFormat("en-US", EXACT);
const exactSignedMoney = new Intl.NumberFormat("en-US", { ...EXACT, signDisplay: "exceptZero" });
/** At most as many decimals as an amount has. */
const FULL = { style: "currency", currency: "USD", maximumFractionDigits: 6 } as const;
const wholeShares = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 2,
  roundingMode: "floor",
});
const count = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const percentOne = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const percentWhole = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 0,
  signDisplay: "exceptZero",
});
const tenths = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const points = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
/** From this amount on, compact figures are abbreviated. */
const COMPACT_FROM = 100_000;
/** From here on, a rounded sum of whole dollars has a "K". */
const THOUSANDS_FROM = 999.5;

const withMinus = (text: string) => text.replace("-", MINUS);

/** $1,234.50, in whole cents. */
export function formatMoney(usdc: number | null, rounding: MoneyRounding = "nearest"): string {
  return usdc === null ? NOTHING : withMinus(money[rounding].format(usdc));
}

/** A volume: $150.00 for 149.9976, and $1.2M from $100,000 on. */
export function formatCompactMoney(usdc: number | null): string {
  if (usdc === null) return NOTHING;
  const format = Math.abs(usdc) < COMPACT_FROM ? money.nearest : compactMoney;
  return withMinus(format.format(usdc));
}

/** A figure of a column with large sums, rounded to its last digit: $950, $74.2K, $1.2M. */
export function formatShortMoney(usdc: number | null): string {
  if (usdc === null) return NOTHING;
  const format = Math.abs(usdc) < THOUSANDS_FROM ? wholeMoney : compactMoney;
  return withMinus(format.format(usdc));
}

/** A profit or a change, to the nearest cent: +$12.40, −$3.10, $0.00 */
export function formatSignedMoney(usdc: number | null): string {
  return usdc === null ? NOTHING : withMinus(signedMoney.format(usdc));
}

/** $1,234.500000, with all decimals. */
export function formatExactMoney(usdc: number): string {
  return withMinus(exactMoney.format(usdc));
}

/** +$12.400000, −$3.100000, $0.000000 */
export function formatExactSignedMoney(usdc: number): string {
  return withMinus(exactSignedMoney.format(usdc));
}

/**
 * $24.992, with the decimals that it has, at least two. Amounts that are shown with others, such as those of a
 * column, have the decimals of the longest.
 */
export function formatFullMoney(usdc: number | null, others: readonly number[] = []): string {
  if (usdc === null) return NOTHING;
  const least = Math.max(2, ...others.map(countDecimals));
  const format = new Intl.NumberFormat("en-US", { ...FULL, minimumFractionDigits: least });
  return withMinus(format.format(usdc));
}

const countDecimals = (usdc: number) => String(usdc).split(".")[1]?.length ?? 0;

/** +8.3%, −<0.1%; from 1,000 % on without decimals. `percent` is 8.3 for 8.3 %. */
export function formatPercent(percent: number | null): string {
  if (percent === null) return NOTHING;
  if (percent !== 0 && Math.abs(percent) < 0.05) return `${percent > 0 ? "+" : MINUS}<0.1%`;
  const format = Math.abs(percent) >= 1000 ? percentWhole : percentOne;
  return `${withMinus(format.format(percent))}%`;
}

/** 160.31, rounded down. */
export function formatShares(shares: number | null): string {
  return shares === null ? NOTHING : withMinus(wholeShares.format(shares));
}

export function formatCount(value: number): string {
  return count.format(value);
}

/** Returns the decimals of prices in cents on a grid: 1 for "0.001". */
function centDecimals(tickSize: string): number {
  const decimals = tickSize.split(".")[1]?.replace(/0+$/, "").length ?? 0;
  return Math.max(0, decimals - 2);
}

/**
 * 62¢, 62.5¢. `price` is a fraction of a dollar. An average has `extraDecimals` 1: up to one decimal more
 * than the grid, without trailing zeros.
 */
export function formatPrice(price: number | null, tickSize = "0.01", extraDecimals = 0): string {
  if (price === null) return NOTHING;
  const decimals = centDecimals(tickSize);
  const format = centsFormat(extraDecimals === 0 ? decimals : 0, decimals + extraDecimals);
  return `${format.format(toCents(price))}¢`;
}

/**
 * 92.5¢ on a grid of 0.25¢: a price without zeros at its end, like an average. Only in the book and the trade
 * tape, whose digits change in place, do all prices have the grid's decimals.
 */
export function formatOrderPrice(price: number | null, tickSize = "0.01"): string {
  if (price === null) return NOTHING;
  const decimals = centDecimals(tickSize);
  return `${centsFormat(0, decimals).format(toCents(price))}¢`;
}

/** Creating a format is far slower than using it, and a live book formats hundreds of prices. */
const centsFormats = new Map<string, Intl.NumberFormat>();

function centsFormat(least: number, most: number): Intl.NumberFormat {
  const key = `${least}-${most}`;
  const known = centsFormats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
  centsFormats.set(key, made);
  return made;
}

/** +4, −1.5: a change of a probability in percentage points. `change` is 0.04 for four. */
export function formatPoints(change: number): string {
  return withMinus(points.format(toCents(change)));
}

/** 62%, <1%, >99% */
export function formatProbability(price: number | null): string {
  if (price === null) return NOTHING;
  if (price > 0 && price < 0.01) return "<1%";
  if (price > 0.99 && price < 1) return ">99%";
  return `${count.format(toCents(price))}%`;
}

/** 38.5% */
export function formatFineProbability(price: number): string {
  return `${tenths.format(toCents(price))}%`;
}

/** Converts exactly: 0.285 to 28.5, not to 28.499999999999996. */
function toCents(price: number): number {
  return Number(`${price}e2`);
}

/** 0x12ab…9f3c */
export function shortenId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`;
}
