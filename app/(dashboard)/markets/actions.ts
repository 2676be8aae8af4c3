"use server";

import { revalidatePath } from "next/cache";
import { textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { showing } from "@/lib/showing";
import { marketIdsOf } from "@/lib/services/markets/market-ids-of";
import { setWatched } from "@/lib/services/watchlist/set-watched";

/** Puts a market, or an event's markets, on the watchlist or takes them off it. Works from any page that shows a star. */
export async function watchAction(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const isWatched = textOf(form, "watch") === "on";
  const event = textOf(form, "event");
  // Which markets there are may be known from before; a list of them is no order.
  await showing(async () => {
    const ids = event ? await marketIdsOf(principal, event) : [textOf(form, "marketId")];
    await setWatched(principal, ids, isWatched);
  });
  revalidatePath("/markets", "layout");
}
