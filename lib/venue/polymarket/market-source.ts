import "server-only";
import { now } from "@/lib/clock";
import { readRemoteBook, readRemoteQuotes } from "@/lib/venue/polymarket/books";
import { readCatalogue } from "@/lib/venue/polymarket/catalogue";
import { estimateRemoteOrder } from "@/lib/venue/polymarket/estimate";
import {
  findRemoteMarket,
  findRemoteMarketByToken,
  getRemoteMarkets,
} from "@/lib/venue/polymarket/find";
import { listedPricesAt, readRemoteHistory } from "@/lib/venue/polymarket/history";
import { asRemoteMarket } from "@/lib/venue/polymarket/markets";
import { findUnlisted } from "@/lib/venue/polymarket/search";
import type { MarketSource } from "@/lib/venue/port";

/** What Polymarket tells about its markets, to anybody. */
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
  getQuotes: (markets) => readRemoteQuotes(markets.map(asRemoteMarket)),
  getHistory: (market, from, to, stepMs) =>
    readRemoteHistory(asRemoteMarket(market), { from, to, stepMs }),
  getPastPrices: async (markets, at) => listedPricesAt(markets, at),
  estimateOrder: estimateRemoteOrder,
};
