import "server-only";
import type { Holdings } from "@/lib/domain/equity-curve";
import { payoutPrice } from "@/lib/domain/mark-price";
import { bookPriceOf } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { pricesAt } from "@/lib/services/markets/day-change";
import { add, notional, type Price, sum, type Usdc } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

/** What holdings are worth at an instant in milliseconds, or at the venue's quotes of now. */
type Valuer = (holdings: Holdings, at: number | "now") => Promise<Usdc>;

interface Context {
  samples: readonly Holdings[];
  /** Market ids by token. */
  marketOf: ReadonlyMap<string, string>;
  /** What "now" is on the clock that past instants are given in. */
  to: number;
}

/**
 * Prepares to value holdings at past instants and now: loads and quotes the markets of every token
 * in them once, so that each valuation is plain arithmetic.
 */
export async function makeValuer(
  venue: MarketSource,
  { samples, marketOf, to }: Context,
): Promise<Valuer> {
  const tokens = new Set(samples.flatMap(({ shares }) => [...shares.keys()]));
  const ids = [...tokens].map((tokenId) => {
    const id = marketOf.get(tokenId);
    assert(id !== undefined, "a token that was held has a position");
    return id;
  });
  const markets = await venue.getMarkets(ids);
  const quotes = await venue.getQuotes([...markets.values()]);
  // The venue's own time may differ from the service's clock.
  const shift = venue.now() - to;

  const held = ({ shares }: Holdings) => [...shares].filter(([, size]) => size > 0n);
  const marketOfToken = (tokenId: string): Market => {
    const market = markets.get(marketOf.get(tokenId) ?? "");
    assert(market, "every market was loaded");
    return market;
  };
  const worthAt = (holdings: Holdings, past: ReadonlyMap<string, Price>): Usdc => {
    const values = held(holdings).map(([tokenId, size]) => {
      const { id, outcomes } = marketOfToken(tokenId);
      const at = past.get(id) ?? quotes.get(id)?.mark;
      assert(at !== undefined, "every market is quoted");
      return notional(size, bookPriceOf(outcomes[0].tokenId === tokenId ? 0 : 1, at), "down");
    });
    return add(holdings.cash, sum(values));
  };
  return async (holdings, at) => {
    if (at === "now") return worthAt(holdings, NO_PAST);
    const owned = new Set(held(holdings).map(([tokenId]) => marketOfToken(tokenId)));
    return worthAt(holdings, await pastPrices(venue, [...owned], at + shift));
  };
}

const NO_PAST: ReadonlyMap<string, Price> = new Map();

/** First tokens' prices at a past instant of the venue's time, by market, where it has them. */
async function pastPrices(
  venue: MarketSource,
  markets: readonly Market[],
  at: number,
): Promise<ReadonlyMap<string, Price>> {
  const prices = new Map<string, Price>();
  const trading: Market[] = [];
  for (const market of markets) {
    const { winner } = venue.getState(market);
    if (winner !== null && at >= market.resolvesAt)
      prices.set(market.id, payoutPrice(winner === 0));
    else trading.push(market);
  }
  const found = await pricesAt(venue, trading, ({ opensAt, closesAt }) =>
    Math.min(Math.max(at, opensAt), closesAt),
  );
  return new Map([...prices, ...found]);
}
