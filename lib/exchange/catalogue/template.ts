import "server-only";
import { z } from "zod";
import type { Protocol } from "@/lib/domain/protocol";

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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNITS = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS, s: SECOND_MS } as const;
const DURATION = /^\d+[dhms]( \d+[dhms])*$/;

/** A duration such as "2d 17h", read as milliseconds. */
const Duration = z
  .string()
  .regex(DURATION)
  .transform((text) =>
    text
      .split(" ")
      .map((part) => Number(part.slice(0, -1)) * UNITS[part.slice(-1) as keyof typeof UNITS])
      .reduce((sum, ms) => sum + ms, 0),
  );

/**
 * When instances of an event open and close. Instance `n` opens at `phase + n * every` (Unix time)
 * and closes `lasts` later, so `lasts / every` instances are open at any moment and the catalogue
 * never runs dry.
 */
const Cadence = z
  .strictObject({ every: Duration, lasts: Duration, phase: Duration })
  .transform(({ every, lasts, phase }) => ({ everyMs: every, lastsMs: lasts, phaseMs: phase }));

/** One market of an event: one question with two outcomes. */
const MarketTemplate = z.strictObject({
  /** Kebab-case, unique in its event. It never changes, because token ids derive from it. */
  id: z.string(),
  /** Short label inside an event with several markets ("Harbour City"); null in an event with one. */
  label: z.string().nullable(),
  /** The full question; placeholders as in the title of an event. */
  title: z.string(),
  /** Probability of the first outcome at opening. Those of a neg-risk event are scaled to sum to 1. */
  startProbability: z.number().gt(0).lt(1),
});
export type MarketTemplate = z.output<typeof MarketTemplate>;

/**
 * An event whose markets share dates, rules and trading parameters, as the JSON files of this folder
 * describe it.
 *
 * Placeholders in titles and rules: `{closeDate}` ("30 November 2026"), `{closeMonth}`
 * ("November 2026"), `{closeYear}`, `{closeTime}` ("14:05 UTC") and `{openTime}`.
 */
export const EventTemplate = z.strictObject({
  /** Kebab-case and unique. It never changes, because token ids derive from it. */
  id: z.string(),
  title: z.string(),
  rules: z.string(),
  /** The source that settles it ("the paper exchange's simulated tide gauge at Port Marlow"). */
  resolutionSource: z.string(),
  /** `negRisk`: exactly one market's first outcome wins. `independent`: each resolves alone. */
  structure: z.enum(["negRisk", "independent"]),
  /** Names of the first and second outcome, such as Yes and No, or two team names. */
  outcomes: z.tuple([z.string(), z.string()]),
  markets: z.array(MarketTemplate).min(1),
  cadence: Cadence,
  /** Decimal text of the smallest price step, such as "0.01". */
  tickSize: z.string(),
  /** Taker fee rate of `fee = shares * rate * p * (1 - p)`; "0" where trading is free. */
  feeRate: z.string(),
  /** The size of the house quotes. */
  depth: z.enum(["thin", "normal", "deep"]),
  /** The timing of price changes: see NEWS_EXPONENT in lib/exchange/reference-price.ts. */
  volatility: z.enum(["calm", "normal", "wild"]),
  /** The generated icon of the event: see `lib/exchange/icons.ts`. */
  glyph: z.string(),
});
/**
 * Events of Protocol V2 name their category, because one file has all of them. Their markets never
 * change in number or order: the position ids of a neg-risk event contain both.
 */
export const CategorizedEvent = z.strictObject({
  category: z.enum(CATEGORIES),
  event: EventTemplate,
});

export type EventTemplate = z.output<typeof EventTemplate> & {
  category: Category;
  protocol: Protocol;
};
