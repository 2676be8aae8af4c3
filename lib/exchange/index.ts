import "server-only";
import { getDb } from "@/lib/db/client";
import type { Quote } from "@/lib/domain/mark-price";
import type { Book } from "@/lib/domain/matching";
import { approvePaperOrder } from "@/lib/exchange/approve-order";
import { cancelPaperOrders } from "@/lib/exchange/cancel-orders";
import {
  asExchangeMarket,
  getMarketData,
  getMarketListing,
  refreshForTaker,
} from "@/lib/exchange/choose-source";
import { paperNow } from "@/lib/exchange/clock";
import { changePaperPositions } from "@/lib/exchange/change-positions";
import {
  findPaperMarket,
  findPaperMarketByToken,
  getPaperMarkets,
} from "@/lib/exchange/find-market";
import type { ExchangeMarket } from "@/lib/exchange/market-source";
import { readBook } from "@/lib/exchange/read-book";
import { readLiquidity } from "@/lib/exchange/read-liquidity";
import { readQuotes } from "@/lib/exchange/read-quotes";
import { readRecentQuotes } from "@/lib/exchange/recent-quotes";
import { redeemPaperPosition } from "@/lib/exchange/redeem-position";
import { getTemplatePrices, isTemplateMarket } from "@/lib/exchange/simulated-source";
import { estimatePaperOrder, submitPaperOrder } from "@/lib/exchange/submit-order";
import { allowsStaleReads } from "@/lib/stale-reads";
import type { Price, Usdc } from "@/lib/units";
import type { EmbeddedVenue, Market } from "@/lib/venue/port";

/** The embedded exchange. Its markets use the clock of `paperNow()`, its users' orders the real one. */
export const paperVenue: EmbeddedVenue = {
  kind: "embedded",
  mode: "paper",
  now: paperNow,
  listMarkets: () => getMarketListing().list(),
  findUnlisted: (by, text) => getMarketListing().findUnlisted(by, text),
  findMarket: findPaperMarket,
  findMarketByToken: findPaperMarketByToken,
  getMarkets: getPaperMarkets,
  getState: (market) => getMarketData(asExchangeMarket(market)).getState(paperNow()),
  getBook: (market) => readFreshBook(asExchangeMarket(market)),
  getLiquidity: readPaperLiquidity,
  getQuotes: (markets, maxAgeMs) => readFreshQuotes(markets.map(asExchangeMarket), maxAgeMs),
  getHistory: (market, from, to, stepMs) =>
    getMarketData(asExchangeMarket(market)).getHistory({ from, to, stepMs }),
  getPastPrices: (markets, at) => readPastPrices(markets.map(asExchangeMarket), at),
  prepareOrder: (market) => refreshForTaker(asExchangeMarket(market)),
  submitOrder: (submission, record) =>
    submitPaperOrder({ ...submission, market: asExchangeMarket(submission.market) }, record),
  estimateOrder: (submission) =>
    estimatePaperOrder({ ...submission, market: asExchangeMarket(submission.market) }),
  approveOrder: approvePaperOrder,
  cancelOrders: cancelPaperOrders,
  redeemPosition: (request) =>
    redeemPaperPosition({ ...request, market: asExchangeMarket(request.market) }),
  changePositions: changePaperPositions,
};

const MAX_QUOTE_AGE_MS = 4_000;

async function readFreshBook(market: ExchangeMarket): Promise<Book> {
  await refreshForTaker(market);
  return readBook(await getDb(), market, paperNow());
}

/** Markets of the live books have the venue's figures instead. */
async function readPaperLiquidity(markets: readonly Market[]): Promise<Map<string, Usdc>> {
  const own = markets.filter(({ figures }) => figures === null);
  return readLiquidity(await getDb(), own.map(asExchangeMarket), paperNow());
}

async function readFreshQuotes(
  markets: readonly ExchangeMarket[],
  maxAgeMs = 0,
): Promise<Map<string, Quote>> {
  await getMarketListing().refresh(markets, MAX_QUOTE_AGE_MS);
  // All share the recent quotes, which must not receive stale ones.
  if (maxAgeMs === 0 || allowsStaleReads()) return readQuotes(markets, paperNow());
  return readRecentQuotes(markets, paperNow(), maxAgeMs);
}

async function readPastPrices(
  markets: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, Price>> {
  // Positions can be in markets of both sources, although only one source is listed.
  const templatePrices = getTemplatePrices(markets.filter(isTemplateMarket), at);
  return new Map([...templatePrices, ...(await getMarketListing().getPastPrices(markets, at))]);
}
