import "server-only";
import { payoutPrice } from "@/lib/domain/mark-price";
import { paperNow } from "@/lib/venue/paper/clock";
import { paperHistory } from "@/lib/venue/paper/history";
import { houseLadder, liquidityEpoch } from "@/lib/venue/paper/liquidity/simulated";
import { listingAt } from "@/lib/venue/paper/listing";
import { type PaperMarket, stateAt } from "@/lib/venue/paper/market";
import { referencePrice } from "@/lib/venue/paper/reference-price";
import type { ExchangeMarket, Listing, Origin } from "@/lib/venue/paper/source/port";

/** The built-in catalogue: everything is a pure function of the seed and the clock. */
export const templateListing: Listing = {
  list: async () => listingAt(paperNow()).markets,
  findUnlisted: async () => [],
  find: async (idOrSlug) => {
    const { byId, bySlug } = listingAt(paperNow());
    return byId.get(idOrSlug) ?? bySlug.get(idOrSlug) ?? null;
  },
  findByToken: async (tokenId) => listingAt(paperNow()).byToken.get(tokenId) ?? null,
  findKnown: async (ids) => {
    const { byId } = listingAt(paperNow());
    const listed = ids.flatMap((id) => byId.get(id) ?? []);
    return new Map(listed.map((market) => [market.id, market]));
  },
  getPastPrices: async () => new Map(),
  refresh: async () => {},
};

export function isTemplateMarket(market: ExchangeMarket): market is PaperMarket {
  return "template" in market;
}

export function templateOrigin(market: PaperMarket): Origin {
  return {
    getState: (at) => stateAt(market, at),
    hasEnded: (at) => at >= market.closesAt,
    getFirstPayout: (at) => {
      const { winner } = stateAt(market, at);
      return winner === null ? null : payoutPrice(winner === 0);
    },
    getLadder: (at) => {
      const epoch = liquidityEpoch(at);
      return { levels: houseLadder(market, at), epochs: { from: epoch, to: epoch } };
    },
    takingEpoch: liquidityEpoch,
    getLastTrade: () => null,
    getFallbackPrice: (at) => referencePrice(market, Math.min(at, market.closesAt)),
    getHistory: async (range) => paperHistory(market, range),
  };
}
