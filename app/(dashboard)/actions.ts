"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction } from "@/app/_lib/action";
import { readProof } from "@/app/_lib/read-proof";
import { requireSession } from "@/app/_lib/require-session";
import type { ActionState } from "@/components/ui/action-form";
import { findProofNeed } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import { switchMode } from "@/lib/accounts/switch-mode";
import type { Mode } from "@/lib/venue/port";

/** Switches this browser to the other account and opens its portfolio. */
export async function switchModeAction(to: Mode): Promise<void> {
  const session = await requireSession();
  if (session.principal.mode !== to) {
    if (to === "live" && (await needsProof(session))) redirect("/wallet/live/switch");
    await switchMode(session, to, await readProof(new FormData()));
  }
  revalidatePath("/", "layout");
  redirect("/");
}

/** Switches this browser to the live account with the proof of the form. */
export async function switchToLiveAction(_: ActionState, form: FormData): Promise<ActionState> {
  const session = await requireSession();
  return runAction(form, async () => {
    await switchMode(session, "live", await readProof(form));
    revalidatePath("/", "layout");
    redirect("/");
  });
}

const needsProof = async (session: Session) =>
  (await findProofNeed(session, "switch_to_live")).kind !== "nothing";
