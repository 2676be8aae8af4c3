"use server";

import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { redeemPosition } from "@/lib/portfolio/redeem-position";

/** Claims or closes a position, then shows the receipt on the portfolio page. */
export async function claimAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const { positionId } = await redeemPosition(principal, readText(form, "positionId"));
    redirect(`/?claimed=${positionId}`);
  });
}
