import "server-only";

/** The eight categories of the paper catalogue. */
export const CATEGORIES = [
  "politics",
  "sports",
  "crypto",
  "finance",
  "economics",
  "culture",
  "science",
  "weather",
] as const;
export type Category = (typeof CATEGORIES)[number];

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * When instances of an event open and close. Instance `n` opens at `phaseMs + n * everyMs` (Unix
 * time) and closes `lastsMs` later, so `lastsMs / everyMs` instances are open at any moment and the
 * catalogue never runs dry.
 */
interface Cadence {
  everyMs: number;
  lastsMs: number;
  phaseMs: number;
}

/** One market of an event: one question with two outcomes. */
export interface MarketTemplate {
  /** Kebab-case, unique in its event, stable for ever: token ids derive from it. */
  id: string;
  /** Short label inside a multi-market event ("Harbour City"); null in a one-market event. */
  label: string | null;
  /** Full question; placeholders as in `EventTemplate.title`. */
  title: string;
  /** Probability of the first outcome at opening, in (0, 1). Neg-risk events are normalised to 1. */
  startProbability: number;
}

/**
 * An event whose markets share dates, rules and trading parameters.
 *
 * Placeholders in titles and rules: `{closeDate}` ("30 November 2026"), `{closeMonth}`
 * ("November 2026"), `{closeYear}`, `{closeTime}` ("14:05 UTC") and `{openTime}`.
 */
export interface EventTemplate {
  /** Kebab-case, unique, stable for ever. */
  id: string;
  category: Category;
  title: string;
  rules: string;
  /** Who or what settles it ("the paper exchange's simulated tide gauge at Port Marlow"). */
  resolutionSource: string;
  /** `negRisk`: exactly one market's first outcome wins. `independent`: each resolves alone. */
  structure: "negRisk" | "independent";
  /** Names of the first and second outcome, e.g. `["Yes", "No"]` or two team names. */
  outcomes: readonly [string, string];
  markets: readonly MarketTemplate[];
  cadence: Cadence;
  /** Decimal text of the smallest price step, e.g. "0.01". */
  tickSize: string;
  /** Taker fee rate of `fee = shares * rate * p * (1 - p)`; "0" where trading is free. */
  feeRate: string;
  /** How much stands in the book. */
  depth: "thin" | "normal" | "deep";
  /** How far the price wanders. */
  volatility: "calm" | "normal" | "wild";
  /** Which generated icon the event shows: see `lib/venue/paper/icons.ts`. */
  glyph: string;
}
