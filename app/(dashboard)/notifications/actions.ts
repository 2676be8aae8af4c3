"use server";

import { revalidatePath } from "next/cache";
import { readText } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { PAGE_MODE_FIELD } from "@/lib/browser/page-mode";
import { markRead } from "@/lib/notifications/unread";

/** Marks notifications as read up to the newest one that the menu or the page shows. */
export async function markReadAction(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const seq = readText(form, "seq");
  // Another tab can have switched the browser to the other account.
  const isShown = readText(form, PAGE_MODE_FIELD) === principal.mode;
  if (!isShown || !/^\d{1,15}$/.test(seq)) return;
  await markRead(principal, Number(seq));
}

/** The same for the page, which then shows none as unread. */
export async function markAllReadAction(form: FormData): Promise<void> {
  await requireSession();
  await markReadAction(form);
  revalidatePath("/notifications", "layout");
}
