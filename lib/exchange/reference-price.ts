import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import type { EventTemplate, MarketTemplate } from "@/lib/exchange/catalogue/template";
import type { PaperSeed, PathNoise } from "@/lib/exchange/seed";
import { type Price, price } from "@/lib/units";

/** The inputs of a market's price, besides time. */
export interface PricedMarket {
  seed: PaperSeed;
  event: EventTemplate;
  template: MarketTemplate;
  instance: number;
  opensAt: number;
  closesAt: number;
}

/** Timing of news: a calm market gets most of it near the end, a wild one evenly over its life. */
const NEWS_EXPONENT = { calm: 3, normal: 1.6, wild: 1 } as const;
/** Lower bound of the remaining uncertainty, which is a divisor. */
const LEAST_UNCERTAINTY = 1e-6;
const LOWEST = 0.001;
const HIGHEST = 0.999;
const MICRO = 1e6;

/**
 * Returns the fair price of the first outcome at an instant. It is bounded, continuous and a pure
 * function of seed, market and time, so price history needs no storage.
 *
 * A hidden Brownian path decides the result when the market closes. The price is the probability of
 * that result given the path so far, so it is a martingale: it opens at the template's probability,
 * past prices don't predict the next one, and it ends at the 0 or 1 of `determineWinner`.
 */
export function computeReferencePrice(market: PricedMarket, at: number): Price {
  const probability = Math.min(HIGHEST, Math.max(LOWEST, computeProbability(market, at)));
  return price(BigInt(Math.round(probability * MICRO)));
}

/** Returns the winning outcome. Outcomes win with the probability of their opening price. */
export function determineWinner(market: PricedMarket): OutcomeIndex {
  if (market.event.structure === "independent")
    return isTrue(market, getPathName(market), market.template.startProbability) ? 0 : 1;
  const winner = buildChain(market).find(({ path, odds }) => isTrue(market, path, odds));
  assert(winner, "the last of an event's candidates wins if none before it does");
  return winner.candidate === market.template ? 0 : 1;
}

function computeProbability(market: PricedMarket, at: number): number {
  const known = computeInformation(market, at);
  if (market.event.structure === "independent") {
    // Markets of one event share the path, so "above 45" never costs more than "above 40".
    return computeConditional(market, getPathName(market), market.template.startProbability, known);
  }
  let others = 1;
  for (const { candidate, path, odds } of buildChain(market)) {
    const own = others * computeConditional(market, path, odds, known);
    if (candidate === market.template) return own;
    others -= own;
  }
  throw new Error("a market is one of its event's markets");
}

/**
 * Builds the chain of yes/no questions behind an event with one winner: is it the first candidate; if
 * not, is it the second; and so on. Each question has its own path, and the candidates' probabilities
 * add up to 1.
 */
function buildChain(
  market: PricedMarket,
): { candidate: MarketTemplate; path: string; odds: number }[] {
  const { markets } = market.event;
  let rest = markets.reduce((total, candidate) => total + candidate.startProbability, 0);
  return markets.map((candidate, index) => {
    const isLast = index === markets.length - 1;
    const odds = isLast ? 1 : candidate.startProbability / rest;
    rest -= candidate.startProbability;
    return { candidate, path: `${getPathName(market)}/${candidate.id}`, odds };
  });
}

/** Returns the probability that a question ends true, given its path up to `known` in [0, 1]. */
function computeConditional(
  market: PricedMarket,
  path: string,
  odds: number,
  known: number,
): number {
  if (odds === 1) return 1;
  const position =
    computeNormalQuantile(odds) + computePathValue(market.seed.getNoise(path), known);
  return computeNormalProbability(position / Math.sqrt(Math.max(LEAST_UNCERTAINTY, 1 - known)));
}

function isTrue(market: PricedMarket, path: string, odds: number): boolean {
  return odds === 1 || computeNormalQuantile(odds) + getPathEnd(market.seed.getNoise(path)) > 0;
}

/** Returns the published share of the news, from 0 at the opening to 1 at the close. */
function computeInformation(market: PricedMarket, at: number): number {
  const elapsed = (at - market.opensAt) / (market.closesAt - market.opensAt);
  return Math.min(1, Math.max(0, elapsed)) ** NEWS_EXPONENT[market.event.volatility];
}

function getPathName(market: PricedMarket): string {
  return `${market.event.id}/${market.instance}`;
}

/** Number of halvings of the unit interval. A year-long market has steps of four seconds. */
const DEPTH = 23;

/**
 * Returns the value at `at` of a Brownian path W on [0, 1] with W(0) = 0 and W(1) standard normal, a
 * pure function of its noise. Lévy's construction places the middle of each interval around the mean
 * of its ends, so a point takes DEPTH steps and the path needs no memory.
 */
function computePathValue(noise: PathNoise, at: number): number {
  let left = 0;
  let right = getPathEnd(noise);
  let start = 0;
  let width = 1;
  let index = 0;
  for (let depth = 1; depth <= DEPTH; depth += 1) {
    width /= 2;
    // The middle of an interval of length 2w deviates from the mean with variance w/2.
    const middle = (left + right) / 2 + Math.sqrt(width / 2) * noise(depth, index);
    const isRight = at >= start + width;
    index = index * 2 + (isRight ? 1 : 0);
    if (isRight) {
      left = middle;
      start += width;
    } else {
      right = middle;
    }
  }
  return left + ((right - left) * (at - start)) / width;
}

/** Returns W(1), the start of the construction. */
const getPathEnd = (noise: PathNoise): number => noise(0, 0);

/** The standard normal distribution function (Abramowitz and Stegun 7.1.26, error below 2e-7). */
function computeNormalProbability(value: number): number {
  const scaled = Math.abs(value) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * scaled);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-scaled * scaled)) / 2;
  return value < 0 ? tail : 1 - tail;
}

const quantiles = new Map<number, number>();

/** The inverse of `computeNormalProbability` for a probability in (0, 1), by bisection. */
function computeNormalQuantile(probability: number): number {
  const known = quantiles.get(probability);
  if (known !== undefined) return known;
  let low = -8;
  let high = 8;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (computeNormalProbability(middle) < probability) low = middle;
    else high = middle;
  }
  quantiles.set(probability, low);
  return low;
}
