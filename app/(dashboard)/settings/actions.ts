"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { saveDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import {
  readDisplayForm,
  readRegionForm,
  readTradingForm,
} from "@/app/(dashboard)/settings/read-forms";
import { endChosenSession } from "@/lib/services/sessions/end-chosen-session";
import { endOtherSessions } from "@/lib/services/sessions/end-other-sessions";
import { browserOf } from "@/lib/services/sessions/start-session";
import { saveTradingSettings } from "@/lib/services/settings/save-trading-settings";
import { changePassword } from "@/lib/services/users/change-password";

export async function saveTradingAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    await saveTradingSettings(principal.userId, readTradingForm(form));
    return settle("trading");
  });
}

export async function saveDisplayAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    await requireSession();
    await saveDisplay(readDisplayForm(form));
    return settle("display");
  });
}

export async function saveRegionAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    await requireSession();
    await saveDisplay(readRegionForm(form));
    return settle("region");
  });
}

export async function changePasswordAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSession();
    const { address } = browserOf(await headers());
    const change = { current: textOf(form, "current"), password: textOf(form, "password") };
    await changePassword(session, change, address);
    return settle("account");
  });
}

export async function endSessionAction(form: FormData): Promise<void> {
  await endChosenSession(await requireSession(), textOf(form, "sessionId"));
  redirect("/settings?saved=session#sessions");
}

export async function endOtherSessionsAction(): Promise<void> {
  await endOtherSessions(await requireSession());
  redirect("/settings?saved=sessions#sessions");
}

/** In place with JavaScript; without it the page is asked for anew, so a reload posts nothing. */
async function settle(section: string): Promise<string> {
  const hasScript = (await headers()).has("next-action");
  if (!hasScript) redirect(`/settings?saved=${section}#${section}`);
  revalidatePath("/settings");
  return "Saved";
}
