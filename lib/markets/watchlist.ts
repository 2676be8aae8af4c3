import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { deleteWatched, insertWatched, selectWatchedIds } from "@/lib/db/queries/watchlist";
import { AppError } from "@/lib/errors";
import { requireMarket } from "@/lib/markets/market-view";
import { getVenue } from "@/lib/venues";

/** Returns the ids of the markets that a user watches. */
export async function listWatched(userId: string): Promise<ReadonlySet<string>> {
  return new Set(await selectWatchedIds(await getDb(), userId));
}

/** Few enough to load with every page. */
const MAX_WATCHED = 500;
/** More markets than any event has. */
const MAX_AT_ONCE = 50;

/** Adds markets to the user's watchlist or removes them. Idempotent. */
export async function setWatched(
  principal: Principal,
  marketIds: readonly string[],
  isWatched: boolean,
): Promise<void> {
  if (marketIds.length === 0 || marketIds.length > MAX_AT_ONCE) {
    throw new AppError("VALIDATION_ERROR", `Choose 1 to ${MAX_AT_ONCE} markets.`);
  }
  const db = await getDb();
  if (!isWatched) return deleteWatched(db, principal.userId, marketIds);
  const venue = getVenue(principal.mode);
  await Promise.all(marketIds.map((id) => requireMarket(venue, id)));
  const watched = new Set([...(await selectWatchedIds(db, principal.userId)), ...marketIds]);
  if (watched.size > MAX_WATCHED) {
    throw new AppError("VALIDATION_ERROR", `A watchlist can have at most ${MAX_WATCHED} markets.`);
  }
  await insertWatched(db, principal.userId, { marketIds, at: new Date(now()) });
}
