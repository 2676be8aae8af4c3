import "server-only";
import { and, between, inArray } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { houseTaken } from "@/lib/db/schema/trading";
import type { HouseLevel } from "@/lib/domain/matching";
import { NO_SHARES, type Price, shares, subtract } from "@/lib/units";
import { getMarketData } from "@/lib/exchange/choose-source";
import type { ExchangeMarket, Ladder } from "@/lib/exchange/market-source";

/**
 * Loads the remaining house quotes of many markets, by market id. The house is the liquidity that
 * belongs to no user. A market without fresh quotes is left out.
 */
export async function loadHouseQuotes(
  tx: Tx,
  list: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, HouseLevel[]>> {
  const ladders = new Map<string, Ladder>();
  for (const market of list) {
    const ladder = getMarketData(market).getLadder(at);
    if (ladder) ladders.set(market.id, ladder);
  }
  const taken = await readTaken(tx, ladders);
  return new Map(
    [...ladders].map(([id, { levels }]) => [
      id,
      levels
        .map((level) => subtractTaken(level, taken.get(createKey(id, level)) ?? 0n))
        .filter((level) => level.size > 0n),
    ]),
  );
}

/** Returns the size that was taken from each level in the epochs of its ladder. */
async function readTaken(
  tx: Tx,
  ladders: ReadonlyMap<string, Ladder>,
): Promise<Map<string, bigint>> {
  const taken = new Map<string, bigint>();
  if (ladders.size === 0) return taken;
  const epochRanges = [...ladders.values()].map(({ epochs }) => epochs);
  const first = Math.min(...epochRanges.map(({ from }) => from));
  const last = Math.max(...epochRanges.map(({ to }) => to));
  const rows = await tx
    .select()
    .from(houseTaken)
    .where(
      and(
        inArray(houseTaken.marketId, [...ladders.keys()]),
        between(houseTaken.epoch, first, last),
      ),
    );
  for (const row of rows) {
    const epochs = ladders.get(row.marketId)?.epochs;
    if (!epochs || row.epoch < epochs.from || row.epoch > epochs.to) continue;
    const key = createKey(row.marketId, row);
    taken.set(key, (taken.get(key) ?? 0n) + row.taken);
  }
  return taken;
}

const createKey = (marketId: string, { side, price }: { side: HouseLevel["side"]; price: Price }) =>
  `${marketId}/${side}/${price}`;

/** Returns a level with its remaining size. */
export function subtractTaken(level: HouseLevel, taken: bigint): HouseLevel {
  const left = taken >= level.size ? NO_SHARES : subtract(level.size, shares(taken));
  return { ...level, size: left };
}
