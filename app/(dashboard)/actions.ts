"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { switchMode } from "@/lib/auth/switch-mode";
import type { Mode } from "@/lib/venue/port";

/** Switches this browser to the other account and opens its portfolio. */
export async function switchModeAction(to: Mode): Promise<void> {
  const { id, principal } = await requireSession();
  if (principal.mode !== to) await switchMode(principal.userId, id, to);
  revalidatePath("/", "layout");
  redirect("/");
}
