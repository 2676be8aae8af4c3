import "server-only";
import { getDb } from "@/lib/db/client";
import { cancelPaperOrders } from "@/lib/venue/paper/cancel";
import { estimatePaperOrder } from "@/lib/venue/paper/estimate";
import { findPaperMarket, findPaperMarketByToken, getPaperMarkets } from "@/lib/venue/paper/find";
import { paperNow } from "@/lib/venue/paper/clock";
import { paperPricesAt } from "@/lib/venue/paper/history";
import { readQuotes } from "@/lib/venue/paper/quotes";
import { redeemPaperPosition } from "@/lib/venue/paper/redeem";
import { readBook } from "@/lib/venue/paper/store";
import { submitPaperOrder } from "@/lib/venue/paper/submit";
import {
  asExchangeMarket,
  originOf,
  paperListing,
  refreshForTaking,
} from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket } from "@/lib/venue/paper/source/port";
import { isTemplateMarket } from "@/lib/venue/paper/source/templates";
import type { Book } from "@/lib/domain/matching";
import type { Quote } from "@/lib/domain/mark-price";
import type { Price } from "@/lib/units";
import type { EmbeddedVenue } from "@/lib/venue/port";

/** The embedded exchange. Its markets live on `paperNow()`, its users' orders on the real clock. */
export const paperVenue: EmbeddedVenue = {
  kind: "embedded",
  mode: "paper",
  now: paperNow,
  listMarkets: () => paperListing().list(),
  findUnlisted: (by, text) => paperListing().findUnlisted(by, text),
  findMarket: findPaperMarket,
  findMarketByToken: findPaperMarketByToken,
  getMarkets: getPaperMarkets,
  getState: (market) => originOf(asExchangeMarket(market)).getState(paperNow()),
  getBook: (market) => readFreshBook(asExchangeMarket(market)),
  getQuotes: (markets) => readFreshQuotes(markets.map(asExchangeMarket)),
  getHistory: (market, from, to, stepMs) =>
    originOf(asExchangeMarket(market)).getHistory({ from, to, stepMs }),
  getPastPrices: (markets, at) => pastPrices(markets.map(asExchangeMarket), at),
  prepareOrder: (market) => refreshForTaking(asExchangeMarket(market)),
  submitOrder: (tx, submission, key) =>
    submitPaperOrder(tx, { ...submission, market: asExchangeMarket(submission.market) }, key),
  estimateOrder: (submission) =>
    estimatePaperOrder({ ...submission, market: asExchangeMarket(submission.market) }),
  cancelOrders: (tx, request) =>
    cancelPaperOrders(tx, { ...request, market: asExchangeMarket(request.market) }),
  redeemPosition: (tx, request) =>
    redeemPaperPosition(tx, { ...request, market: asExchangeMarket(request.market) }),
};

/** Lists of quotes may be this old. */
const QUOTE_AGE_MS = 4_000;

async function readFreshBook(market: ExchangeMarket): Promise<Book> {
  await refreshForTaking(market);
  return readBook(await getDb(), market, paperNow());
}

async function readFreshQuotes(markets: readonly ExchangeMarket[]): Promise<Map<string, Quote>> {
  await paperListing().refresh(markets, QUOTE_AGE_MS);
  return readQuotes(markets, paperNow());
}

async function pastPrices(
  markets: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, Price>> {
  // Markets of both kinds may be held, while one kind is listed.
  const ours = paperPricesAt(markets.filter(isTemplateMarket), at);
  return new Map([...ours, ...(await paperListing().getPastPrices(markets, at))]);
}
