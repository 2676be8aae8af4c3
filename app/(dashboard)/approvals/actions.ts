"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import { readProof } from "@/app/_lib/read-proof";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import type { ActionState } from "@/components/ui/action-form";
import { approveOrder, declineOrder } from "@/lib/approvals/decide-order";

export async function approveAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    const orderId = readText(form, "order");
    await approveOrder(session, orderId, await readProof(form));
    revalidatePath("/", "layout");
    redirect(`/orders/${encodeURIComponent(orderId)}`);
  });
}

export async function declineAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    const orderId = readText(form, "order");
    await declineOrder(session, orderId);
    revalidatePath("/", "layout");
    redirect(`/orders/${encodeURIComponent(orderId)}`);
  });
}
