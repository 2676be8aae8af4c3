"use server";

import { revalidatePath } from "next/cache";
import { readText } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { withStaleReads } from "@/lib/stale-reads";
import { listEventMarketIds } from "@/lib/markets/event-groups";
import { setWatched } from "@/lib/markets/watchlist";

/** Adds a market or an event to the watchlist, or removes it. */
export async function watchAction(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const isWatched = readText(form, "watch") === "on";
  const event = readText(form, "event");
  // A stale list of markets is good enough for the watchlist.
  await withStaleReads(async () => {
    const ids = event ? await listEventMarketIds(principal, event) : [readText(form, "marketId")];
    await setWatched(principal, ids, isWatched);
  });
  revalidatePath("/markets", "layout");
}
