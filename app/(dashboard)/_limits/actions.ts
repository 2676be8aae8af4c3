"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import { readProof } from "@/app/_lib/read-proof";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import {
  buildFrozenHref,
  buildSubjectHref,
  readLimitTexts,
  readSubject,
} from "@/app/(dashboard)/_limits/limits-request";
import type { ActionState } from "@/components/ui/action-form";
import { AppError } from "@/lib/errors";
import { freeze } from "@/lib/limits/freeze";
import { parseFreezeReason } from "@/lib/limits/freeze-reason";
import { changeOwnLimits, thawOwn } from "@/lib/limits/own-limits";
import { parseLimitsForm } from "@/lib/limits/parse-limits-form";

export async function setLimitsAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    const subject = readSubject(form, session.principal.mode);
    if (subject.scope === "user") {
      throw new AppError("VALIDATION_ERROR", "Only the operator sets these limits.");
    }
    const limits = parseLimitsForm(readLimitTexts(form));
    await changeOwnLimits(session, { subject, limits }, await readProof(form));
    revalidatePath("/", "layout");
    redirect(buildSubjectHref(subject, "limits"));
  });
}

export async function freezeAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal, id: sessionId } = await requireSessionInPageMode(form);
    const subject = readSubject(form, principal.mode);
    const reason = parseFreezeReason(readText(form, "reason"));
    const { orders } = await freeze({ userId: principal.userId, subject, reason, sessionId });
    revalidatePath("/", "layout");
    redirect(buildFrozenHref(subject, orders));
  });
}

export async function thawAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    const subject = readSubject(form, session.principal.mode);
    await thawOwn(session, subject, await readProof(form));
    revalidatePath("/", "layout");
    redirect(buildSubjectHref(subject, "thawed"));
  });
}
