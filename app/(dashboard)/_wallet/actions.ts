"use server";

import { redirect } from "next/navigation";
import { readText, runAction } from "@/app/_lib/action";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import type { ActionState } from "@/components/ui/action-form";
import { cancelTransaction } from "@/lib/wallet-transactions/cancel-transaction";

/** Cancels a transaction of the live wallet that was not submitted. */
export async function cancelTransactionAction(
  _: ActionState,
  form: FormData,
): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    await cancelTransaction(principal, readText(form, "id"));
    redirect("/wallet");
  });
}
