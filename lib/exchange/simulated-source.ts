import "server-only";
import { takeTurns } from "@/lib/clock";
import { getDatabase } from "@/lib/db/client";
import { getPayoutPrice } from "@/lib/domain/mark-price";
import { paperNow } from "@/lib/exchange/clock";
import { getListedMarkets } from "@/lib/exchange/listed-markets";
import { computeState, type PaperMarket } from "@/lib/exchange/paper-market";
import type { ExchangeMarket, MarketData, MarketListing } from "@/lib/exchange/market-source";
import { computeReferencePrice } from "@/lib/exchange/reference-price";
import {
  computeHouseLevels,
  computeHouseMark,
  computeLiquidityEpoch,
} from "@/lib/exchange/simulated-house-quotes";
import type { Price } from "@/lib/units";

/** Points of a history that are computed before other work gets its turn: about 10 ms. */
const POINTS_AT_ONCE = 500;

/** The built-in catalogue. All of its data is a pure function of the seed and the clock. */
export const templateListing: MarketListing = {
  list: async () => (await openListing()).markets,
  findUnlisted: async () => [],
  find: async (idOrSlug) => {
    const { byId, bySlug } = await openListing();
    return byId.get(idOrSlug) ?? bySlug.get(idOrSlug) ?? null;
  },
  findByToken: async (tokenId) => (await openListing()).byToken.get(tokenId) ?? null,
  findKnown: async (ids) => {
    const { byId } = await openListing();
    const listed = ids.flatMap((id) => byId.get(id) ?? []);
    return new Map(listed.map((market) => [market.id, market]));
  },
  getPastPrices: async () => new Map(),
  refresh: async () => {},
};

/** Opens the database first, because it stores the seed. */
async function openListing() {
  await getDatabase();
  return getListedMarkets(paperNow());
}

export function isTemplateMarket(market: ExchangeMarket): market is PaperMarket {
  return "template" in market;
}

export function createTemplateData(market: PaperMarket): MarketData {
  return {
    getState: (at) => computeState(market, at),
    hasEnded: (at) => at >= market.closesAt,
    getFirstPayout: (at) => {
      const { winner } = computeState(market, at);
      return winner === null ? null : getPayoutPrice(winner === 0);
    },
    getLadder: (at) => {
      const epoch = computeLiquidityEpoch(at);
      return { levels: computeHouseLevels(market, at), epochs: { from: epoch, to: epoch } };
    },
    getTakenEpoch: computeLiquidityEpoch,
    getLastTrade: () => null,
    getFallbackPrice: (at) => computeReferencePrice(market, Math.min(at, market.closesAt)),
    getHistory: async ({ from, to, stepMs }) => {
      const points = [];
      const last = Math.min(to, market.closesAt);
      for (let at = Math.max(from, market.opensAt); at <= last; at += stepMs) {
        points.push({ at, price: computeHouseMark(market, at) });
        if (points.length % POINTS_AT_ONCE === 0) await takeTurns();
      }
      return points;
    },
  };
}

/** Returns prices of first tokens at an instant, by id, of the markets that were open then. */
export function getTemplatePrices(markets: readonly PaperMarket[], at: number): Map<string, Price> {
  const open = markets.filter((market) => at >= market.opensAt && at <= market.closesAt);
  return new Map(open.map((market) => [market.id, computeHouseMark(market, at)]));
}
