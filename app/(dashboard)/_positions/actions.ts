"use server";

import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { redeemPosition } from "@/lib/services/portfolio/redeem-position";

/** Claims or closes one position; its receipt is on the portfolio page. */
export async function claimAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSession();
    const { positionId } = await redeemPosition(principal, textOf(form, "positionId"));
    redirect(`/?claimed=${positionId}`);
  });
}
