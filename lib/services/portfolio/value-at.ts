import "server-only";
import type { Holdings } from "@/lib/domain/equity-curve";
import { payoutPrice } from "@/lib/domain/mark-price";
import { bookPriceOf } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { add, notional, type Price, sum, type Usdc } from "@/lib/units";
import type { Market, Venue } from "@/lib/venue/port";

/** What holdings are worth at an instant in milliseconds, or at the venue's quotes of now. */
type Valuer = (holdings: Holdings, at: number | "now") => Usdc;

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
  venue: Venue,
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

  const priceOf = (tokenId: string, at: number | "now"): Price => {
    const id = marketOf.get(tokenId) ?? "";
    const [market, quote] = [markets.get(id), quotes.get(id)];
    assert(market && quote, "every market was loaded and quoted");
    const past = at === "now" ? null : pastPrice(venue, market, at + shift);
    return bookPriceOf(market.outcomes[0].tokenId === tokenId ? 0 : 1, past ?? quote.mark);
  };
  return ({ cash, shares }, at) => {
    const held = [...shares].filter(([, size]) => size > 0n);
    const values = held.map(([token, size]) => notional(size, priceOf(token, at), "down"));
    return add(cash, sum(values));
  };
}

/** The first token's price at a past instant of the venue's time; null when it has none. */
function pastPrice(venue: Venue, market: Market, at: number): Price | null {
  const { winner } = venue.getState(market);
  if (winner !== null && at >= market.resolvesAt) return payoutPrice(winner === 0);
  const instant = Math.min(Math.max(at, market.opensAt), market.closesAt);
  return venue.getHistory(market, instant, instant, 1)[0]?.price ?? null;
}
