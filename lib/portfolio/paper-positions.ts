import "server-only";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { valuate } from "@/lib/domain/position";
import type { OutcomeIndex } from "@/lib/domain/settlement";
import type { HeldPosition } from "@/lib/ledger/read-paper-account";
import { buildIconUrl } from "@/lib/public-url";
import type { Position } from "@/lib/schemas/account";
import type { Price } from "@/lib/units";
import type { Market } from "@/lib/venue/port";

/** Everything that a position shows. */
export interface PositionSource {
  held: HeldPosition;
  market: Market;
  outcome: OutcomeIndex;
  currentPrice: Price;
  redeemable: boolean;
}

interface Known extends PositionSource {
  position: z.output<typeof Position>;
}

/** About 20 MB with their JSON: 200 accounts with 50 positions. */
const MAX_POSITIONS = 10_000;

/**
 * The last positions of each user by token. Most positions of an account that has changed show the same as
 * before. Building and encoding 50 again took about 0.12 of 0.60 ms of the service's CPU time, on a busy machine;
 * docs/benchmarks.md has the whole change.
 */
const lastByUser = new LRUCache<string, ReadonlyMap<string, Known>>({
  maxSize: MAX_POSITIONS,
  sizeCalculation: ({ size }) => size + 1,
});

/**
 * Returns the positions of a paper account as the interface shows them. A position that shows the same as in
 * the last call is the same object.
 */
export function toPaperPositions(
  userId: string,
  sources: readonly PositionSource[],
): z.output<typeof Position>[] {
  const last = lastByUser.get(userId);
  let isChanged = last?.size !== sources.length;
  const current = sources.map((source) => {
    const known = last?.get(source.held.tokenId);
    if (known && isSame(known, source)) return known;
    isChanged = true;
    return { ...source, position: buildPosition(source) };
  });
  if (isChanged) {
    lastByUser.set(userId, new Map(current.map((known) => [known.held.tokenId, known])));
  }
  return current.map(({ position }) => position);
}

const isSame = (one: PositionSource, other: PositionSource) =>
  one.held.shares === other.held.shares &&
  one.held.cost === other.held.cost &&
  one.currentPrice === other.currentPrice &&
  one.redeemable === other.redeemable &&
  one.outcome === other.outcome &&
  one.market === other.market;

function buildPosition({ held, market, outcome, currentPrice, redeemable }: PositionSource) {
  const { averagePrice, value, pnl, pnlPercentMicro } = valuate(held, currentPrice);
  return {
    id: held.tokenId,
    conditionId: market.id,
    marketTitle: market.title,
    marketSlug: market.slug,
    iconUrl: buildIconUrl(market.icon),
    outcome: market.outcomes[outcome].name,
    shares: held.shares,
    avgPrice: averagePrice,
    currentPrice,
    value,
    pnl,
    pnlPercent: pnlPercentMicro,
    negativeRisk: market.isNegRisk,
    redeemable,
  };
}
