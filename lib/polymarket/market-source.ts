import "server-only";
import { now } from "@/lib/clock";
import type { RestingOrder } from "@/lib/domain/matching";
import { computeEstimate, separateOrders } from "@/lib/domain/order-estimate";
import { AppError } from "@/lib/errors";
import { loadFreshBook, readRemoteBook, readRemoteQuotes } from "@/lib/polymarket/books";
import { getBuilder } from "@/lib/polymarket/builder";
import { readCatalogue } from "@/lib/polymarket/catalogue";
import {
  findRemoteMarket,
  findRemoteMarketByToken,
  getRemoteMarkets,
} from "@/lib/polymarket/find-market";
import { findListedPrices, readRemoteHistory } from "@/lib/polymarket/price-history";
import { asRemoteMarket } from "@/lib/polymarket/markets";
import { findUnlisted } from "@/lib/polymarket/search";
import type { MarketSource, OrderEstimate, OrderSubmission } from "@/lib/venue/port";

/** Polymarket's public market data. */
export const polymarketMarkets: MarketSource = {
  mode: "live",
  now,
  listMarkets: async () => (await readCatalogue()).markets,
  findUnlisted,
  findMarket: findRemoteMarket,
  findMarketByToken: findRemoteMarketByToken,
  getMarkets: getRemoteMarkets,
  getState: (market) => asRemoteMarket(market).state,
  getBook: (market) => readRemoteBook(asRemoteMarket(market)),
  getLiquidity: async (markets) =>
    new Map(
      markets.flatMap(({ id, figures }) => {
        const liquidity = figures?.liquidity ?? null;
        return liquidity === null ? [] : [[id, liquidity] as const];
      }),
    ),
  getQuotes: (markets) => readRemoteQuotes(markets.map(asRemoteMarket)),
  getHistory: (market, from, to, stepMs) =>
    readRemoteHistory(asRemoteMarket(market), { from, to, stepMs }),
  getPastPrices: async (markets, at) => findListedPrices(markets, at),
  estimateOrder: estimateRemoteOrder,
};

/**
 * Estimates an order on the venue's current book. Sends nothing. The venue reserves the maximum fee of
 * the whole order, even while the order is open (polymarket.md 5.2).
 */
async function estimateRemoteOrder(
  submission: OrderSubmission,
  own: readonly RestingOrder[] = [],
): Promise<OrderEstimate> {
  const market = asRemoteMarket(submission.market);
  if (market.state.status !== "open") {
    throw new AppError("MARKET_CLOSED", market.untradable ?? "This market takes no orders now.");
  }
  const [book, builder] = await Promise.all([loadFreshBook(market), getBuilder()]);
  const terms = { ...market, builderFees: builder ?? undefined };
  return computeEstimate(submission, terms, separateOrders(book, own), { holdsFeeForRest: true });
}
