import "server-only";
import { and, between, inArray } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { houseTaken } from "@/lib/db/schema/trading";
import type { HouseLevel } from "@/lib/domain/matching";
import { NO_SHARES, type Price, shares, subtract } from "@/lib/units";
import { originOf } from "@/lib/venue/paper/source/choose";
import type { ExchangeMarket, Ladder } from "@/lib/venue/paper/source/port";

/**
 * House quotes of many markets less what was taken from them, by market id. A market whose quotes
 * are not known freshly enough is left out.
 */
export async function loadHouses(
  tx: Tx,
  list: readonly ExchangeMarket[],
  at: number,
): Promise<Map<string, HouseLevel[]>> {
  const ladders = new Map<string, Ladder>();
  for (const market of list) {
    const ladder = originOf(market).getLadder(at);
    if (ladder) ladders.set(market.id, ladder);
  }
  const taken = await readTaken(tx, ladders);
  return new Map(
    [...ladders].map(([id, { levels }]) => [
      id,
      levels
        .map((level) => less(level, taken.get(keyOf(id, level)) ?? 0n))
        .filter((level) => level.size > 0n),
    ]),
  );
}

/** What was taken from each level under the epochs that its ladder names. */
async function readTaken(
  tx: Tx,
  ladders: ReadonlyMap<string, Ladder>,
): Promise<Map<string, bigint>> {
  const taken = new Map<string, bigint>();
  if (ladders.size === 0) return taken;
  const spans = [...ladders.values()].map(({ epochs }) => epochs);
  const first = Math.min(...spans.map(({ from }) => from));
  const last = Math.max(...spans.map(({ to }) => to));
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
    const key = keyOf(row.marketId, row);
    taken.set(key, (taken.get(key) ?? 0n) + row.taken);
  }
  return taken;
}

const keyOf = (marketId: string, { side, price }: { side: HouseLevel["side"]; price: Price }) =>
  `${marketId}/${side}/${price}`;

/** A level without what was taken from it. */
export function less(level: HouseLevel, taken: bigint): HouseLevel {
  const left = taken >= level.size ? NO_SHARES : subtract(level.size, shares(taken));
  return { ...level, size: left };
}
