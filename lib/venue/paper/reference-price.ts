import "server-only";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { type Price, price } from "@/lib/units";
import type { EventTemplate, MarketTemplate } from "@/lib/venue/paper/catalogue/template";
import { brownian, normalProbability, normalQuantile } from "@/lib/venue/paper/random-walk";

/** What the price of a market depends on besides time. */
export interface PricedMarket {
  seed: string;
  event: EventTemplate;
  template: MarketTemplate;
  instance: number;
  opensAt: number;
  closesAt: number;
}

/** When news comes: calm markets learn most near the end, wild ones evenly all along. */
const NEWS_EXPONENT = { calm: 3, normal: 1.6, wild: 1 } as const;
/** What is left of the uncertainty in the last instant, so that nothing divides by zero. */
const LEAST_UNCERTAINTY = 1e-6;
const LOWEST = 0.001;
const HIGHEST = 0.999;
const MICRO = 1e6;

/**
 * The fair price of the first outcome at an instant: bounded, continuous, and a pure function of
 * seed, market and time, so that history needs no storage.
 *
 * It is what a market that knew the odds would pay. A hidden Brownian path decides the result when
 * the market closes; the price is the probability of that result given the path so far, hence a
 * martingale: it opens at the template's probability, no past price tells the next, and it ends at
 * the 0 or 1 that `winnerOf` finds.
 */
export function referencePrice(market: PricedMarket, at: number): Price {
  const probability = Math.min(HIGHEST, Math.max(LOWEST, probabilityAt(market, at)));
  return price(BigInt(Math.round(probability * MICRO)));
}

/** Which outcome the market resolves to, as often as its opening price says. */
export function winnerOf(market: PricedMarket): OutcomeIndex {
  if (market.event.structure === "independent")
    return isTrue(market, eventPath(market), openingOdds(market)) ? 0 : 1;
  const winner = chain(market).find(({ path, odds }) => isTrue(market, path, odds));
  assert(winner, "the last of an event's candidates wins if none before it does");
  return winner.candidate === market.template ? 0 : 1;
}

function probabilityAt(market: PricedMarket, at: number): number {
  const known = informationAt(market, at);
  if (market.event.structure === "independent") {
    // Markets of one event share the path, so "above 45" never costs more than "above 40".
    return conditional(market, eventPath(market), openingOdds(market), known);
  }
  let others = 1;
  for (const { candidate, path, odds } of chain(market)) {
    const own = others * conditional(market, path, odds, known);
    if (candidate === market.template) return own;
    others -= own;
  }
  throw new Error("a market is one of its event's markets");
}

/**
 * An event with one winner as a chain of questions: is it the first; if not, is it the second; and
 * so on. Each has a path of its own, and the products of their probabilities add up to one.
 */
function chain(market: PricedMarket): { candidate: MarketTemplate; path: string; odds: number }[] {
  const { markets } = market.event;
  let rest = markets.reduce((total, candidate) => total + candidate.startProbability, 0);
  return markets.map((candidate, index) => {
    const isLast = index === markets.length - 1;
    const odds = isLast ? 1 : candidate.startProbability / rest;
    rest -= candidate.startProbability;
    return { candidate, path: `${eventPath(market)}/${candidate.id}`, odds };
  });
}

/** The probability that a question ends true, given its path up to `known` in [0, 1]. */
function conditional(market: PricedMarket, path: string, odds: number, known: number): number {
  if (odds === 1) return 1;
  const position = normalQuantile(odds) + brownian(`${market.seed}/${path}`, known);
  return normalProbability(position / Math.sqrt(Math.max(LEAST_UNCERTAINTY, 1 - known)));
}

function isTrue(market: PricedMarket, path: string, odds: number): boolean {
  return odds === 1 || normalQuantile(odds) + brownian(`${market.seed}/${path}`, 1) > 0;
}

/** How much of the news is out, from 0 at the opening to 1 at the close. */
function informationAt(market: PricedMarket, at: number): number {
  const elapsed = (at - market.opensAt) / (market.closesAt - market.opensAt);
  return Math.min(1, Math.max(0, elapsed)) ** NEWS_EXPONENT[market.event.volatility];
}

function openingOdds(market: PricedMarket): number {
  return market.template.startProbability;
}

function eventPath(market: PricedMarket): string {
  return `${market.event.id}/${market.instance}`;
}
