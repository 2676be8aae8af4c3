"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { switchMode } from "@/lib/services/sessions/switch-mode";

/** Turns this browser to the user's other account, and starts on its portfolio. */
export async function switchModeAction(): Promise<void> {
  const { id, principal } = await requireSession();
  const { userId, mode } = principal;
  await switchMode(userId, id, mode === "paper" ? "live" : "paper");
  revalidatePath("/", "layout");
  redirect("/");
}
