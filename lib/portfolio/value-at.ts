import "server-only";
import type { Holdings } from "@/lib/domain/equity-curve";
import { getPayoutPrice } from "@/lib/domain/mark-price";
import { toBookPrice } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { getPricesAt } from "@/lib/markets/day-change";
import { add, notional, type Price, sum, type Usdc } from "@/lib/units";
import type { Market, MarketSource } from "@/lib/venue/port";

/** Values holdings at an instant in milliseconds, or at the venue's current quotes. */
type Valuer = (holdings: Holdings, at: number | "now") => Promise<Usdc>;

interface Context {
  samples: readonly Holdings[];
  /** Market ids by token. */
  marketOf: ReadonlyMap<string, string>;
  /** The current time on the clock of the past instants. */
  to: number;
}

/**
 * Loads and quotes the markets of every held token once. Returns a function that values holdings at
 * past instants and now.
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
  // The venue's time can differ from the service's clock.
  const shift = venue.now() - to;

  const listHeld = ({ shares }: Holdings) => [...shares].filter(([, size]) => size > 0n);
  const getMarket = (tokenId: string): Market => {
    const market = markets.get(marketOf.get(tokenId) ?? "");
    assert(market, "every market was loaded");
    return market;
  };
  const computeValue = (holdings: Holdings, past: ReadonlyMap<string, Price>): Usdc => {
    const values = listHeld(holdings).map(([tokenId, size]) => {
      const { id, outcomes } = getMarket(tokenId);
      const at = past.get(id) ?? quotes.get(id)?.mark;
      assert(at !== undefined, "every market is quoted");
      return notional(size, toBookPrice(outcomes[0].tokenId === tokenId ? 0 : 1, at), "down");
    });
    return add(holdings.cash, sum(values));
  };
  return async (holdings, at) => {
    if (at === "now") return computeValue(holdings, NO_PAST);
    const owned = new Set(listHeld(holdings).map(([tokenId]) => getMarket(tokenId)));
    return computeValue(holdings, await findPastPrices(venue, [...owned], at + shift));
  };
}

const NO_PAST: ReadonlyMap<string, Price> = new Map();

/** Returns the prices of the first outcomes at a past instant by market id, where the venue has one. */
async function findPastPrices(
  venue: MarketSource,
  markets: readonly Market[],
  at: number,
): Promise<ReadonlyMap<string, Price>> {
  const prices = new Map<string, Price>();
  const trading: Market[] = [];
  for (const market of markets) {
    const { winner } = venue.getState(market);
    if (winner !== null && at >= market.resolvesAt)
      prices.set(market.id, getPayoutPrice(winner === 0));
    else trading.push(market);
  }
  const found = await getPricesAt(venue, trading, ({ opensAt, closesAt }) =>
    Math.min(Math.max(at, opensAt), closesAt),
  );
  return new Map([...prices, ...found]);
}
