"use server";

import { revalidatePath } from "next/cache";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { formatShares } from "@/components/format/numbers";
import { cancelOrder } from "@/lib/services/orders/cancel-order";
import { microToNumber } from "@/lib/units";

/** Cancels one of the account's orders and says what of it had filled. */
export async function cancelOrderAction(_: unknown, form: FormData): Promise<ActionState> {
  const state = await runAction(form, async () => {
    const { principal } = await requireSession();
    const { filledShares } = await cancelOrder(principal, textOf(form, "orderId"));
    return filledShares === 0n
      ? "Order canceled."
      : `Order canceled. ${formatShares(microToNumber(filledShares))} shares had filled before.`;
  });
  // Whatever became of it, what the page shows of the order is old.
  revalidatePath("/markets/[slug]", "page");
  return state;
}
