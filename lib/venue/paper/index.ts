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
import { listingAt } from "@/lib/venue/paper/listing";
import { stateAt } from "@/lib/venue/paper/market";
import { paperNow } from "@/lib/venue/paper/clock";
import { readQuotes } from "@/lib/venue/paper/quotes";
import { redeemPaperPosition } from "@/lib/venue/paper/redeem";
import { referencePrice } from "@/lib/venue/paper/reference-price";
import { readBook } from "@/lib/venue/paper/store";
import { submitPaperOrder } from "@/lib/venue/paper/submit";
import type { PricePoint, Venue } from "@/lib/venue/port";

/** The embedded exchange. Its markets live on `paperNow()`, its users' orders on the real clock. */
export const paperVenue: Venue = {
  mode: "paper",
  now: paperNow,
  listMarkets: async () => listingAt(paperNow()).markets,
  findMarket: findPaperMarket,
  findMarketByToken: findPaperMarketByToken,
  getMarkets: getPaperMarkets,
  getState: (market) => stateAt(asPaperMarket(market), paperNow()),
  getBook: async (market) => readBook(await getDb(), asPaperMarket(market), paperNow()),
  getQuotes: (markets) => readQuotes(markets.map(asPaperMarket), paperNow()),
  getHistory: (market, from, to, stepMs) => {
    const paper = asPaperMarket(market);
    const points: PricePoint[] = [];
    for (
      let at = Math.max(from, market.opensAt);
      at <= Math.min(to, market.closesAt);
      at += stepMs
    ) {
      points.push({ at, price: referencePrice(paper, at) });
    }
    return points;
  },
  submitOrder: (tx, submission) =>
    submitPaperOrder(tx, { ...submission, market: asPaperMarket(submission.market) }),
  estimateOrder: (submission) =>
    estimatePaperOrder({ ...submission, market: asPaperMarket(submission.market) }),
  cancelOrders: (tx, request) =>
    cancelPaperOrders(tx, { ...request, market: asPaperMarket(request.market) }),
  redeemPosition: (tx, request) =>
    redeemPaperPosition(tx, { ...request, market: asPaperMarket(request.market) }),
};
