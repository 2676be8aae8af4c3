"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { saveDisplay } from "@/app/_lib/display-settings";
import { readProof } from "@/app/_lib/read-proof";
import { requireSession, requireSessionInPageMode } from "@/app/_lib/require-session";
import {
  readDisplayForm,
  readRegionForm,
  readTradingForm,
} from "@/app/(dashboard)/settings/read-forms";
import { buildSettingsHref, type SettingsSection } from "@/components/shell/settings-sections";
import { ALL_KINDS } from "@/lib/domain/notifications";
import { saveShownKinds } from "@/lib/notifications/shown-kinds";
import { endChosenSession, endOtherSessions } from "@/lib/auth/manage-sessions";
import { saveTradingSettings } from "@/lib/accounts/trading-settings";
import { changePassword } from "@/lib/accounts/change-password";

export async function saveTradingAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
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

/** Chooses the notifications that the dashboard shows. */
export async function saveShownKindsAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    await saveShownKinds(
      principal.userId,
      ALL_KINDS.filter((kind) => form.has(kind)),
    );
    return settle("notifications");
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
    const { address, password: current = "", ...factor } = await readProof(form);
    await changePassword(
      session,
      { current, password: readText(form, "password"), factor },
      address,
    );
    return settle("account");
  });
}

export async function endSessionAction(form: FormData): Promise<void> {
  await endChosenSession(await requireSession(), readText(form, "sessionId"));
  redirect(`${buildSettingsHref("sessions")}&saved=session`);
}

export async function endOtherSessionsAction(): Promise<void> {
  await endOtherSessions(await requireSession());
  redirect(`${buildSettingsHref("sessions")}&saved=sessions`);
}

/** Redirects forms without JavaScript, so that a reload doesn't post them again. */
async function settle(section: SettingsSection): Promise<string> {
  const hasScript = (await headers()).has("next-action");
  if (!hasScript) redirect(`${buildSettingsHref(section)}&saved=${section}`);
  revalidatePath("/settings");
  return "Saved";
}
