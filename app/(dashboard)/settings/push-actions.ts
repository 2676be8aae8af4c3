"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { readText, runAction } from "@/app/_lib/action";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession, requireSessionInPageMode } from "@/app/_lib/require-session";
import { buildSettingsHref } from "@/components/shell/settings-sections";
import type { ActionState } from "@/components/ui/action-form";
import { ALL_KINDS } from "@/lib/domain/notifications";
import { changePush, sendTestPush, turnOffPush, turnOnPush } from "@/lib/push/manage-push";

/** Turns notifications on in this browser. Hidden values stay hidden in them. */
export async function turnOnPushAction(form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    const given = {
      endpoint: readText(form, "endpoint"),
      publicKey: readText(form, "publicKey"),
      auth: readText(form, "auth"),
    };
    const { hideValues } = await getDisplay();
    await turnOnPush(session, given, { showsAmounts: !hideValues });
    revalidatePath("/settings");
    return "Notifications are on.";
  });
}

/** Changes which notifications a browser gets. */
export async function savePushAction(form: FormData): Promise<void> {
  const session = await requireSession();
  const kinds = ALL_KINDS.filter((kind) => form.has(kind));
  const choices = { kinds, showsAmounts: form.has("showsAmounts") };
  const isFound = await changePush(session, readText(form, "id"), choices);
  settle(isFound ? "push" : "push-missing");
}

/** Turns notifications off in a browser of the account. */
export async function removePushAction(form: FormData): Promise<void> {
  await turnOffPush(await requireSession(), readText(form, "id"));
  settle("push-removed");
}

/** Sends a test message to a browser of the account. */
export async function testPushAction(form: FormData): Promise<void> {
  const outcome = await sendTestPush(await requireSession(), readText(form, "id"));
  settle(`push-test-${outcome}`);
}

/** Redirects, so that a reload doesn't post the form again. */
function settle(saved: string): never {
  redirect(`${buildSettingsHref("notifications")}&saved=${saved}`);
}
