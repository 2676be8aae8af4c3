import "server-only";
import type { markets } from "@/lib/db/schema/trading";
import type { Market } from "@/lib/venue/port";

/** What the record keeps of any venue's market: its description as it was when first traded. */
export function toMarketRow(market: Market): typeof markets.$inferInsert {
  const [first, second] = market.outcomes;
  const { id, slug, title, icon, tick, feeRate, isNegRisk } = market;
  return {
    id,
    slug,
    title,
    icon,
    firstToken: first.tokenId,
    secondToken: second.tokenId,
    firstOutcome: first.name,
    secondOutcome: second.name,
    tick,
    feeRate,
    isNegRisk,
    opensAt: new Date(market.opensAt),
    closesAt: new Date(market.closesAt),
    resolvesAt: new Date(market.resolvesAt),
  };
}
