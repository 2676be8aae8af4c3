"use server";

import { redirect } from "next/navigation";
import { readText, runAction } from "@/app/_lib/action";
import { readProof } from "@/app/_lib/read-proof";
import { requireSession } from "@/app/_lib/require-session";
import type { FactorFormState } from "@/components/security/factor-form";
import type { StartPasskey } from "@/components/security/passkey-form";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import type { ActionState } from "@/components/ui/action-form";
import { removeFactor, renewRecoveryCodes } from "@/lib/auth/second-factor/change-factors";
import { finishPasskey, startPasskey } from "@/lib/auth/second-factor/register-passkey";
import { confirmTotpSetup, startTotpSetup } from "@/lib/auth/second-factor/set-up-totp";

/** Starts adding a passkey, after its proof. */
export async function startPasskeyAction(
  _: Awaited<ReturnType<StartPasskey>>,
  form: FormData,
): ReturnType<StartPasskey> {
  const session = await requireSession();
  const ready: Awaited<ReturnType<typeof startPasskey>>[] = [];
  const state = await runAction(form, async () => {
    ready.push(await startPasskey(session, readText(form, "name"), await readProof(form)));
    return "";
  });
  const [options] = ready;
  return options ? { status: "ready", options, name: readText(form, "name") } : state;
}

export async function finishPasskeyAction(
  _: FactorFormState,
  form: FormData,
): Promise<FactorFormState> {
  const session = await requireSession();
  return handOver(form, "passkey", () =>
    finishPasskey(session, readText(form, "name"), readText(form, "passkey")),
  );
}

export async function startTotpAction(
  _: FactorFormState,
  form: FormData,
): Promise<FactorFormState> {
  const session = await requireSession();
  return runAction(form, async () => {
    await startTotpSetup(session, await readProof(form));
    redirect("/settings/security/app");
  });
}

export async function confirmTotpAction(
  _: FactorFormState,
  form: FormData,
): Promise<FactorFormState> {
  const session = await requireSession();
  return handOver(form, "app", () => confirmTotpSetup(session, readText(form, "code")));
}

export async function renewCodesAction(
  _: FactorFormState,
  form: FormData,
): Promise<FactorFormState> {
  const session = await requireSession();
  return handOver(form, "codes", async () => renewRecoveryCodes(session, await readProof(form)));
}

export async function removeFactorAction(
  _: FactorFormState,
  form: FormData,
): Promise<FactorFormState> {
  const session = await requireSession();
  return runAction(form, async () => {
    await removeFactor(session, readText(form, "factor"), await readProof(form));
    redirect(`${SECURITY_HREF}&done=removed`);
  });
}

/** Returns new recovery codes only in this response. Without new ones it leads to the security page. */
async function handOver(
  form: FormData,
  done: string,
  change: () => Promise<string[] | null>,
): Promise<FactorFormState> {
  const made: string[] = [];
  const state: ActionState = await runAction(form, async () => {
    const codes = await change();
    if (codes === null) redirect(`${SECURITY_HREF}&done=${done}`);
    made.push(...codes);
    return "";
  });
  return made.length > 0 ? { status: "made", codes: made } : state;
}
