import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { sumReservedShares } from "@/lib/db/queries/reserved";
import { isCombo } from "@/lib/domain/combo";
import type { Portfolio } from "@/lib/schemas/account";
import type { MergeablePairs } from "@/lib/schemas/portfolio";
import { NO_SHARES, shares, smaller, subtract } from "@/lib/units";

type Position = z.output<typeof Portfolio>["positions"][number];

/**
 * Lists the pairs that an account can merge into dollars: shares of both outcomes of a market that isn't
 * resolved. Shares that open orders reserve don't count.
 */
export async function listPairs(
  { userId, mode }: Principal,
  positions: readonly Position[],
): Promise<z.output<typeof MergeablePairs>[]> {
  // A combo is merged at the venue.
  const pairs = groupPairs(positions.filter(({ id, redeemable }) => !redeemable && !isCombo(id)));
  if (pairs.length === 0) return [];
  const tokenIds = pairs.flat().map(({ id }) => id);
  const reserved = await sumReservedShares(await getDb(), { userId, mode }, tokenIds);
  const findFree = ({ id, shares: held }: Position) => {
    const kept = reserved.get(id) ?? 0n;
    return kept > held ? NO_SHARES : subtract(held, shares(kept));
  };
  return pairs.flatMap(([first, second]) => {
    const free = smaller(findFree(first), findFree(second));
    if (free === 0n) return [];
    const { conditionId: marketId, marketTitle, marketSlug, iconUrl } = first;
    const outcomes = [first.outcome, second.outcome];
    return [{ marketId, marketTitle, marketSlug, iconUrl, outcomes, shares: free }];
  });
}

function groupPairs(positions: readonly Position[]): [Position, Position][] {
  const markets = new Map<string, Position[]>();
  for (const position of positions) {
    const { conditionId } = position;
    markets.set(conditionId, [...(markets.get(conditionId) ?? []), position]);
  }
  return [...markets.values()].flatMap(([first, second, ...others]): [Position, Position][] =>
    first && second && others.length === 0 ? [[first, second]] : [],
  );
}
