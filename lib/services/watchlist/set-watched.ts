import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import { deleteWatched, insertWatched, selectWatchedIds } from "@/lib/db/queries/watchlist";
import { AppError } from "@/lib/errors";
import { requireMarket } from "@/lib/services/markets/market-view";
import { venueOf } from "@/lib/venue";

/** Far more than anybody reads, and few enough to load with every page. */
const MAX_WATCHED = 500;
/** More markets than any event has. */
const MAX_AT_ONCE = 50;

/** Puts markets on the user's watchlist or takes them off it. Repeating it changes nothing. */
export async function setWatched(
  principal: Principal,
  marketIds: readonly string[],
  isWatched: boolean,
): Promise<void> {
  if (marketIds.length === 0 || marketIds.length > MAX_AT_ONCE) {
    throw new AppError("VALIDATION_ERROR", `name 1 to ${MAX_AT_ONCE} markets`);
  }
  const db = await getDb();
  if (!isWatched) return deleteWatched(db, principal.userId, marketIds);
  const venue = venueOf(principal.mode);
  await Promise.all(marketIds.map((id) => requireMarket(venue, id)));
  const watched = new Set([...(await selectWatchedIds(db, principal.userId)), ...marketIds]);
  if (watched.size > MAX_WATCHED) {
    throw new AppError("VALIDATION_ERROR", `a watchlist holds at most ${MAX_WATCHED} markets`);
  }
  await insertWatched(db, principal.userId, { marketIds, at: new Date(now()) });
}
