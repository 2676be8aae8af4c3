import "server-only";
import { getDb } from "@/lib/db/client";
import { cancelPaperOrders } from "@/lib/venue/paper/cancel";
import { estimatePaperOrder } from "@/lib/venue/paper/estimate";
import {
  asPaperMarket,
  findPaperMarket,
  findPaperMarketByToken,
  getPaperMarkets,
} from "@/lib/venue/paper/find";
import { paperHistory, paperPricesAt } from "@/lib/venue/paper/history";
import { listingAt } from "@/lib/venue/paper/listing";
import { stateAt } from "@/lib/venue/paper/market";
import { paperNow } from "@/lib/venue/paper/clock";
import { readQuotes } from "@/lib/venue/paper/quotes";
import { redeemPaperPosition } from "@/lib/venue/paper/redeem";
import { readBook } from "@/lib/venue/paper/store";
import { submitPaperOrder } from "@/lib/venue/paper/submit";
import type { EmbeddedVenue } from "@/lib/venue/port";

/** The embedded exchange. Its markets live on `paperNow()`, its users' orders on the real clock. */
export const paperVenue: EmbeddedVenue = {
  kind: "embedded",
  mode: "paper",
  now: paperNow,
  listMarkets: async () => listingAt(paperNow()).markets,
  findMarket: findPaperMarket,
  findMarketByToken: findPaperMarketByToken,
  getMarkets: getPaperMarkets,
  getState: (market) => stateAt(asPaperMarket(market), paperNow()),
  getBook: async (market) => readBook(await getDb(), asPaperMarket(market), paperNow()),
  getQuotes: (markets) => readQuotes(markets.map(asPaperMarket), paperNow()),
  getHistory: async (market, from, to, stepMs) =>
    paperHistory(asPaperMarket(market), { from, to, stepMs }),
  getPastPrices: async (markets, at) => paperPricesAt(markets.map(asPaperMarket), at),
  submitOrder: (tx, submission) =>
    submitPaperOrder(tx, { ...submission, market: asPaperMarket(submission.market) }),
  estimateOrder: (submission) =>
    estimatePaperOrder({ ...submission, market: asPaperMarket(submission.market) }),
  cancelOrders: (tx, request) =>
    cancelPaperOrders(tx, { ...request, market: asPaperMarket(request.market) }),
  redeemPosition: (tx, request) =>
    redeemPaperPosition(tx, { ...request, market: asPaperMarket(request.market) }),
};
