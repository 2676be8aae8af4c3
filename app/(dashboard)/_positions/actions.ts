"use server";

import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { redeemAll, type RedeemedPositions } from "@/lib/portfolio/redeem-all";
import { redeemPosition } from "@/lib/portfolio/redeem-position";
import { parseInput } from "@/lib/schemas/envelope";
import { SplitOrMergeBody } from "@/lib/schemas/wallet-transactions";
import { splitOrMerge } from "@/lib/wallet-transactions/split-or-merge";

/**
 * Claims or closes a position, then shows the receipt on the portfolio page. A live claim is listed
 * there until it is final.
 */
export async function claimAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const { positionId, status } = await redeemPosition(principal, readText(form, "positionId"));
    redirect(status === "confirmed" ? `/?claimed=${positionId}` : "/");
  });
}

/** Claims the paper positions of a market from its page, which then shows the payout or the problem. */
export async function claimOnMarketAction(form: FormData): Promise<void> {
  const state = await runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    for (const id of form.getAll("positionId")) await redeemPosition(principal, String(id));
    return "";
  });
  // Another address moves the focus from the button, which is gone.
  const end = state.status === "failed" ? `problem=${state.code}` : "claimed=1";
  redirect(`/markets/${encodeURIComponent(readText(form, "slug"))}?${end}`);
}

/** Claims and closes all resolved positions, then shows the receipt on the portfolio page. */
export async function claimAllAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const startedAt = now();
    const { redeemed, failed } = await redeemAll(principal);
    const [first] = failed;
    if (first) throw new AppError("ORDER_REJECTED", describeFailure(redeemed, failed, first));
    redirect(`/?claimedSince=${startedAt}`);
  });
}

/** Merges pairs of a market into dollars, once per form, and shows the receipt on the portfolio page. */
export async function mergeAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const body = parseInput(SplitOrMergeBody, {
      marketId: readText(form, "marketId"),
      shares: Number(readText(form, "shares")),
      idempotencyKey: readText(form, "key"),
    });
    const { id } = await splitOrMerge(principal, "merge", body);
    redirect(`/?merged=${encodeURIComponent(id)}`);
  });
}

function describeFailure(
  redeemed: RedeemedPositions["redeemed"],
  failed: RedeemedPositions["failed"],
  first: RedeemedPositions["failed"][number],
): string {
  const count = `${failed.length} of ${failed.length + redeemed.length} positions`;
  return `${count} couldn’t be claimed. “${first.marketTitle}”: ${first.message}`;
}
