import "server-only";
import { type OutcomeIndex, toBookPrice } from "@/lib/domain/settlement";
import { DAY_MS, HOUR_MS } from "@/lib/exchange/catalogue/template";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { hashText, uniform } from "@/lib/exchange/noise";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import { computeReferencePrice, determineWinner } from "@/lib/exchange/reference-price";
import { computeHouseLevels } from "@/lib/exchange/simulated-house-quotes";
import type { Price, Shares } from "@/lib/units";

/** An outcome of a market. */
export interface Choice {
  market: PaperMarket;
  outcome: OutcomeIndex;
}

/** A purchase at an instant. `paid` is the reference price, without the spread. */
export interface Bet extends Choice {
  at: number;
  paid: Price;
}

export const CENT = 10_000n;

/** The first markets of the list are left out, because programs try these first. */
const LEFT_OUT = 40;
/** A held market stays open for at least so many days. */
const DAYS_OPEN = 3;
/** Numbers of held positions by their change in percent; the last row completes the others. */
const HELD = [
  { count: 12, least: 4n, most: 58n },
  { count: 8, least: -42n, most: -4n },
  { count: 20, least: -60n, most: 90n },
];
const HELD_COUNT = 20;
/** The highest cost of a position that loses everything or doubles is well below the account's cash. */
const HELD_PRICES = { paid: [18n, 76n], last: [12n, 88n] } as const;
const ENTRY_PRICES = [25n, 72n] as const;
const ENTRY_TRIES = 5;

/**
 * Finds outcomes to buy between `from` and `until`, by the prices that the simulated markets will have.
 * Each event is used once. The order is random, and the same on every run: it depends on the ids of the
 * markets, and so on the installation's seed.
 */
export class BetFinder {
  readonly #used = new Set<string>();
  readonly #open: readonly PaperMarket[];
  readonly #ended: readonly PaperMarket[];

  constructor(
    readonly from: number,
    readonly until: number,
  ) {
    this.#ended = listEnded(from, until).toSorted(byId).filter(isLiquid);
    this.#open = listOpen(until).slice(LEFT_OUT).toSorted(byId).filter(isLiquid);
  }

  /** Finds positions in markets that are still open, most of them with a gain. */
  findHeld(): Bet[] {
    const markets = this.#open.filter(({ closesAt }) => closesAt > this.until + DAYS_OPEN * DAY_MS);
    const bets: Bet[] = [];
    for (const { count, least, most } of HELD) {
      const wanted = Math.min(HELD_COUNT, bets.length + count);
      for (const market of markets) {
        if (bets.length === wanted) break;
        if (this.#used.has(market.event.id)) continue;
        const bet = this.#findWithChange(market, least, most);
        if (!bet) continue;
        this.#used.add(market.event.id);
        bets.push(bet);
      }
    }
    return bets;
  }

  /** Finds a bet that was won or lost when its market was resolved between two instants. */
  findSettled(from: number, to: number, isWon: boolean): Bet | null {
    return this.#findEnded((market) => {
      if (market.resolvesAt < from || market.resolvesAt > to) return null;
      const winner = determineWinner(market);
      const outcome = isWon ? winner : winner === 0 ? 1 : 0;
      return this.#findEntry({ market, outcome });
    });
  }

  /** Finds a bet that was sold before its market closed, and when. */
  findSold(): (Bet & { soldAt: number }) | null {
    return this.#findEnded((market) => {
      const bet = this.#findEntry({ market, outcome: chooseOutcome(market) });
      if (!bet) return null;
      const soldAt = bet.at + (market.closesAt - bet.at) * 0.6;
      const change = computeChange(bet.paid, computePrice(bet, soldAt));
      return change >= -35n && change <= 60n ? { ...bet, soldAt } : null;
    });
  }

  /** Returns open markets without bets. */
  listUnused(count: number): readonly PaperMarket[] {
    return this.#open.filter(({ event }) => !this.#used.has(event.id)).slice(0, count);
  }

  #findEnded<Found extends Bet>(find: (market: PaperMarket) => Found | null): Found | null {
    for (const market of this.#ended) {
      if (this.#used.has(market.eventSlug)) continue;
      const found = find(market);
      if (!found) continue;
      this.#used.add(market.eventSlug);
      return found;
    }
    return null;
  }

  #findWithChange(market: PaperMarket, least: bigint, most: bigint): Bet | null {
    const from = Math.max(this.from + 6 * HOUR_MS, market.opensAt + HOUR_MS);
    const to = this.until - 12 * HOUR_MS;
    const first = chooseOutcome(market);
    for (const outcome of [first, first === 0 ? 1 : 0] as const) {
      const last = computePrice({ market, outcome }, this.until);
      if (!isWithin(last, HELD_PRICES.last)) continue;
      const bets = drawBets({ market, outcome }, from, to);
      const found = bets.find(({ paid }) => {
        const change = computeChange(paid, last);
        return isWithin(paid, HELD_PRICES.paid) && change >= least && change <= most;
      });
      if (found) return found;
    }
    return null;
  }

  /** Finds an instant in the life of a market that has ended, at which the price was undecided. */
  #findEntry(choice: Choice): Bet | null {
    const { opensAt, closesAt } = choice.market;
    const from = Math.max(this.from + HOUR_MS, opensAt + (closesAt - opensAt) * 0.1);
    const to = closesAt - (closesAt - opensAt) * 0.15;
    return drawBets(choice, from, to).find(({ paid }) => isWithin(paid, ENTRY_PRICES)) ?? null;
  }
}

/** Returns the reference price of an outcome. */
export function computePrice({ market, outcome }: Choice, at: number): Price {
  return toBookPrice(outcome, computeReferencePrice(market, at));
}

/** Returns the best price at which the house sells an outcome, and how many shares. */
export function findBestOffer(
  { market, outcome }: Choice,
  at: number,
): { price: Price; shares: Shares } | null {
  const offers = computeHouseLevels(market, at)
    .filter(({ side }) => side === (outcome === 0 ? "ask" : "bid"))
    .map(({ price, size }) => ({ price: toBookPrice(outcome, price), shares: size }));
  return offers.length === 0 ? null : offers.reduce((a, b) => (a.price < b.price ? a : b));
}

/** Returns a number from 0 to 1, the same on every run, for a market and a purpose. */
export function draw({ id }: PaperMarket, purpose: string): number {
  return uniform(hashText(`demo/${id}/${purpose}`), 0);
}

function drawBets(choice: Choice, from: number, to: number): Bet[] {
  if (from >= to) return [];
  return Array.from({ length: ENTRY_TRIES }, (_, attempt) => {
    const at = from + (to - from) * draw(choice.market, `${choice.outcome}/${attempt}`);
    return { ...choice, at, paid: computePrice(choice, at) };
  });
}

const chooseOutcome = (market: PaperMarket): OutcomeIndex =>
  draw(market, "outcome") < 0.5 ? 0 : 1;

const computeChange = (paid: Price, now: Price) => (now * 100n) / paid - 100n;

const isWithin = (at: Price, [least, most]: readonly [bigint, bigint]) =>
  at >= least * CENT && at <= most * CENT;

const byId = (a: PaperMarket, b: PaperMarket) => (a.id < b.id ? -1 : 1);

/** Whether a buy of some hundred shares moves the price little. */
const isLiquid = ({ event, tick }: PaperMarket) =>
  event.depth !== "thin" && tick <= CENT && event.cadence.lastsMs >= DAY_MS;

/** Lists the open markets, in the order of the list of markets. */
function listOpen(at: number): PaperMarket[] {
  return getListedMarkets(at)
    .markets.filter(({ closesAt }) => closesAt > at)
    .toSorted((a, b) => b.popularity - a.popularity || byId(a, b));
}

/** Lists markets that were resolved in a period. Looks at the listing of every third day. */
function listEnded(from: number, to: number): PaperMarket[] {
  const ended = new Map<string, PaperMarket>();
  for (let at = from + DAY_MS; at < to; at += 3 * DAY_MS) {
    for (const market of getListedMarkets(at).markets) {
      const { resolvesAt } = market;
      if (resolvesAt > from + DAY_MS && resolvesAt < to - HOUR_MS) ended.set(market.id, market);
    }
  }
  return [...ended.values()];
}
