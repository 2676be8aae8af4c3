"use server";

import { revalidatePath } from "next/cache";
import { textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { setWatched } from "@/lib/services/watchlist/set-watched";

/** Puts markets on the watchlist or takes them off it. Works from any page that shows a star. */
export async function watchAction(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const ids = form.getAll("marketId").filter((id) => typeof id === "string");
  await setWatched(principal, ids, textOf(form, "watch") === "on");
  revalidatePath("/markets", "layout");
}
