import "server-only";
import { type Bet, BetFinder, CENT, computePrice, draw, findBestOffer } from "@/lib/demo/find-bets";
import { floorToGrid } from "@/lib/domain/tick-grid";
import { DAY_MS, HOUR_MS } from "@/lib/exchange/catalogue/template";
import type { PaperMarket } from "@/lib/exchange/paper-market";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { add, notional, type Price, type Shares, shares, type Usdc, usdc } from "@/lib/units";

/** How long before now the history begins. */
export const HISTORY_MS = 42 * DAY_MS;

/** An action at an instant of the paper markets' clock. */
export interface Step {
  at: number;
  action: Action;
}

export type Action =
  /** `name` is how a cancel refers to the order. */
  | { kind: "place"; order: PlaceOrderBody; name?: string }
  /** Sells a percentage of the shares held, at the market or at a limit. */
  | { kind: "sell"; tokenId: string; percent: bigint; limit?: Price }
  | { kind: "cancel"; name: string }
  | { kind: "claim"; tokenId: string }
  | { kind: "watch"; marketId: string }
  /** A request that changes nothing. */
  | { kind: "read" }
  /** Due orders fill, and resolved markets are announced. */
  | { kind: "settle" };

interface LimitOrder {
  price: Price;
  shares: Shares;
  postOnly?: true;
  name?: string;
}

const dollars = (amount: bigint): Usdc => usdc(amount * 1_000_000n);
const STAKES = [50n, 60n, 75n, 80n, 100n, 110n, 120n, 140n, 150n, 180n].map(dollars);
const WEEKS = 6;
const SOLD = 5;
const WATCHED = 6;
/** Won and lost bets that nobody has claimed yet. */
const UNCLAIMED = [true, true, true, false, false];
const OPEN_STAKE = dollars(60n);
const SMALL_STAKE = dollars(40n);
const PARTIAL_FILLS = 3;
const MOST_OF_PARTIAL_FILL = dollars(200n);
const REST_CANCELED_AFTER_MS = 600_000;
/** Few seeds need the finer steps, which take longer. */
const PARTIAL_FILL_STEPS_MS = [5 * HOUR_MS, HOUR_MS, HOUR_MS / 6];
/** More than the account can pay at any price. */
const UNAFFORDABLE_STAKE = dollars(20_000n);
const SOME = shares(60_000_000n);

/**
 * Plans six weeks of trading that end at `until`: a pure function of the simulated markets. The plan
 * knows the prices to come, so the account ends with gains, losses and payouts on every installation.
 */
export function planHistory(until: number): Step[] {
  return new HistoryPlan(until).build();
}

class HistoryPlan {
  readonly #from: number;
  readonly #bets: BetFinder;
  readonly #steps: Step[] = [];

  constructor(readonly until: number) {
    this.#from = until - HISTORY_MS;
    this.#bets = new BetFinder(this.#from, until);
  }

  build(): Step[] {
    const held = this.#bets.findHeld();
    for (const [index, bet] of held.entries()) this.#planHeld(bet, index);
    this.#planUnfilled(held.filter(({ at }) => at < this.until - 3 * DAY_MS));
    this.#planSettled();
    this.#planSold();
    this.#planWatchlist();
    this.#planReads();
    return this.#steps.toSorted((a, b) => a.at - b.at);
  }

  /** Every third position comes from a limit order, if possible from one that waited; every fifth was sold in part. */
  #planHeld(bet: Bet, index: number): void {
    if (index % 3 === 1) {
      const { at, price } = this.#findLimitOrder(bet) ?? createCrossingOrder(bet);
      this.#placeLimit(bet, at, { price, shares: toShares(chooseStake(bet.market), price) });
      this.#add(bet.at, { kind: "settle" });
    } else this.#buy(bet);
    if (index % 5 !== 2) return;
    const soldAt = bet.at + (this.until - bet.at) * (0.4 + 0.4 * draw(bet.market, "sold"));
    this.#add(soldAt, { kind: "sell", tokenId: getTokenId(bet), percent: 30n });
  }

  /** Finds an earlier instant at which a limit order at the bet's price stays open. */
  #findLimitOrder(bet: Bet): { at: number; price: Price } | null {
    // Above the reference price by more than the spread, so that the house's quote reaches it.
    const price = floorToGrid(bet.paid + 3n * CENT, bet.market.tick);
    const earliest = Math.max(this.#from, bet.market.opensAt) + HOUR_MS;
    for (let at = bet.at - 4 * HOUR_MS; at > earliest; at -= 4 * HOUR_MS) {
      if (computePrice(bet, at) > price + CENT) return { at, price };
    }
    return null;
  }

  /** Bets that were held to the end: claimed later, and some that wait to be claimed. */
  #planSettled(): void {
    const weekMs = (HISTORY_MS - 4 * DAY_MS) / WEEKS;
    for (let week = 0; week < WEEKS; week += 1) {
      const from = this.#from + 2 * DAY_MS + week * weekMs;
      for (const isWon of [true, false]) {
        const bet = this.#planBetToTheEnd(from, from + weekMs, isWon);
        if (!bet) continue;
        const claimedAt = bet.market.resolvesAt + (0.5 + 20 * draw(bet.market, "claim")) * HOUR_MS;
        this.#add(claimedAt, { kind: "claim", tokenId: getTokenId(bet) });
      }
    }
    for (const isWon of UNCLAIMED)
      this.#planBetToTheEnd(this.until - 6 * DAY_MS, this.until - HOUR_MS, isWon);
  }

  #planBetToTheEnd(from: number, to: number, isWon: boolean): Bet | null {
    const bet = this.#bets.findSettled(from, to, isWon);
    if (!bet) return null;
    this.#buy(bet);
    this.#add(bet.market.resolvesAt + 2_000, { kind: "settle" });
    return bet;
  }

  /** Positions that were sold before their market closed. */
  #planSold(): void {
    for (let count = 0; count < SOLD; count += 1) {
      const bet = this.#bets.findSold();
      if (!bet) return;
      this.#buy(bet);
      this.#add(bet.soldAt, { kind: "sell", tokenId: getTokenId(bet), percent: 100n });
    }
  }

  /** Orders in the markets of held positions that did not fill, or not in full. */
  #planUnfilled(held: readonly Bet[]): void {
    for (const bet of held.slice(0, 3)) {
      const at = this.until - (2 + 26 * draw(bet.market, "open")) * HOUR_MS;
      const price = findUnreached(bet, at, this.until);
      this.#placeLimit(bet, at, { price, shares: toShares(OPEN_STAKE, price) });
    }
    for (const bet of held.slice(3, 4)) {
      const at = this.until - 5 * HOUR_MS;
      const limit = floorToGrid(findHighest(bet, at, this.until) + 7n * CENT, bet.market.tick);
      this.#add(at, { kind: "sell", tokenId: getTokenId(bet), percent: 50n, limit });
    }
    for (const bet of held.slice(4, 7)) {
      const at = bet.at + (this.until - bet.at) * 0.3;
      const canceledAt = at + (3 + 18 * draw(bet.market, "cancel")) * HOUR_MS;
      const price = findUnreached(bet, at, canceledAt);
      this.#placeAndCancel(bet, at, canceledAt, { price, shares: toShares(SMALL_STAKE, price) });
    }
    for (const bet of held.slice(7, 8)) {
      const at = bet.at + HOUR_MS;
      const price = floorToGrid(computePrice(bet, at), bet.market.tick);
      this.#placeLimit(bet, at, { price, shares: toShares(UNAFFORDABLE_STAKE, price) });
    }
    for (const bet of held.slice(8, 9)) {
      const at = this.until - 2 * DAY_MS;
      const price = floorToGrid(computePrice(bet, at) + 3n * CENT, bet.market.tick);
      this.#placeLimit(bet, at, { price, shares: SOME, postOnly: true });
    }
    // Markets with a canceled order are left out, because a cancel names its order by the market.
    const rest = [...held.slice(7).toReversed(), ...held.slice(0, 4)];
    PARTIAL_FILL_STEPS_MS.some((stepMs) => this.#planPartialFills(rest, stepMs));
  }

  /** Plans more than one, because an order can still be filled in full. Returns whether there is one. */
  #planPartialFills(bets: readonly Bet[], stepMs: number): boolean {
    let planned = 0;
    for (const bet of bets) {
      if (this.#planPartialFill(bet, stepMs)) planned += 1;
      if (planned === PARTIAL_FILLS) break;
    }
    return planned > 0;
  }

  /**
   * Buys more shares than the best offer has. The rest waits ten minutes, then is canceled. Returns
   * false if the market never offers few enough shares.
   */
  #planPartialFill(bet: Bet, stepMs: number): boolean {
    for (let at = bet.at + stepMs; at < this.until - DAY_MS; at += stepMs) {
      const canceledAt = at + REST_CANCELED_AFTER_MS;
      const [best, later] = [findBestOffer(bet, at), findBestOffer(bet, canceledAt)];
      if (!best || !later || later.price <= best.price) continue;
      if (notional(best.shares, best.price, "up") > MOST_OF_PARTIAL_FILL) continue;
      this.#placeAndCancel(bet, at, canceledAt, { ...best, shares: add(best.shares, SOME) });
      return true;
    }
    return false;
  }

  #planWatchlist(): void {
    for (const market of this.#bets.listUnused(WATCHED)) {
      const from = Math.max(this.#from, market.opensAt);
      const at = from + (this.until - from) * draw(market, "watch");
      this.#add(at, { kind: "watch", marketId: market.id });
    }
  }

  /** Requests that only read, more of them in the last hours, for the request log. */
  #planReads(): void {
    for (let ago = HOUR_MS; ago < 6 * DAY_MS; ago *= 1.35) {
      this.#add(this.until - ago, { kind: "read" });
    }
  }

  #buy(bet: Bet): void {
    const amount = chooseStake(bet.market);
    const order = { tokenId: getTokenId(bet), action: "BUY", orderType: "market", amount } as const;
    this.#add(bet.at, { kind: "place", order });
  }

  #placeLimit(bet: Bet, at: number, { name, ...terms }: LimitOrder): void {
    const tokenId = getTokenId(bet);
    const order = { tokenId, action: "BUY", orderType: "limit", ...terms } as const;
    this.#add(at, { kind: "place", order, ...(name !== undefined && { name }) });
  }

  #placeAndCancel(bet: Bet, at: number, canceledAt: number, order: LimitOrder): void {
    const name = bet.market.id;
    this.#placeLimit(bet, at, { ...order, name });
    this.#add(canceledAt, { kind: "cancel", name });
  }

  #add(at: number, action: Action): void {
    this.#steps.push({ at: Math.floor(at), action });
  }
}

/** Returns a limit order at a bet's own instant that fills immediately, with room for the spread. */
const createCrossingOrder = ({ at, paid, market }: Bet) => ({
  at,
  price: floorToGrid(paid + 6n * CENT, market.tick),
});

/** Returns a price for a buy that no offer reaches between two instants. */
function findUnreached(bet: Bet, from: number, to: number): Price {
  const lowest = readPrices(bet, from, to).reduce((a, b) => (a < b ? a : b));
  return floorToGrid(lowest - 6n * CENT, bet.market.tick);
}

function findHighest(bet: Bet, from: number, to: number): Price {
  return readPrices(bet, from, to).reduce((a, b) => (a > b ? a : b));
}

function readPrices(bet: Bet, from: number, to: number): Price[] {
  const prices = [computePrice(bet, to)];
  for (let at = from; at < to; at += HOUR_MS) prices.push(computePrice(bet, at));
  return prices;
}

const getTokenId = ({ market, outcome }: Bet): string => market.outcomes[outcome].tokenId;

function chooseStake(market: PaperMarket): Usdc {
  return STAKES[Math.floor(draw(market, "stake") * STAKES.length)] ?? OPEN_STAKE;
}

/** Returns how many whole shares an amount buys. */
const toShares = (amount: Usdc, at: Price): Shares => shares((amount / at) * 1_000_000n);
