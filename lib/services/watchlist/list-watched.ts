import "server-only";
import { getDb } from "@/lib/db/client";
import { selectWatchedIds } from "@/lib/db/queries/watchlist";

/** Ids of the markets that a user watches. */
export async function listWatched(userId: string): Promise<ReadonlySet<string>> {
  return new Set(await selectWatchedIds(await getDb(), userId));
}
