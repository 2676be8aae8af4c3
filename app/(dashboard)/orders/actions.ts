"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import { getDisplay } from "@/app/_lib/display-settings";
import { formatRefusal } from "@/components/format/format-refusal";
import type { ActionState } from "@/components/ui/action-form";
import { assertPageMode, requireSession } from "@/app/_lib/require-session";
import type { CancelReport } from "@/components/orders/cancel-report";
import { GROUPING, isGroupedByMarket } from "@/components/orders/group-orders";
import { formatShares } from "@/components/format/numbers";
import { AppError, type ErrorCode } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { cancelOrder } from "@/lib/orders/cancel-order";
import { cancelChosenOrders, cancelOrders } from "@/lib/orders/cancel-order";
import { MAX_ROWS } from "@/lib/schemas/page-size";
import { microToNumber } from "@/lib/units";
import type { Mode } from "@/lib/venue/port";

type Outcomes = Awaited<ReturnType<typeof cancelOrders>>;

export async function cancelNow(orderIds: string[]): Promise<CancelReport> {
  const { principal } = await requireSession();
  return report(() => cancelChosenOrders(principal, readIds(orderIds)));
}

/** @param shown the mode of the page's account. */
export async function cancelAllNow(shown: Mode, marketId: string | null): Promise<CancelReport> {
  const { principal } = await requireSession();
  const market = typeof marketId === "string" ? marketId : undefined;
  return report(async () => {
    assertPageMode(principal, shown);
    return cancelOrders(principal, market);
  });
}

/** Cancels the orders of a form without JavaScript, then shows the list again. */
export async function cancelAndReturn(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const one = readText(form, "one");
  const ids = readIds(one === "" ? form.getAll("order") : [one]);
  const query = new URLSearchParams(readText(form, "back"));
  // Enter in a checkbox, which cancels nothing.
  if (readText(form, "keep") !== "") redirect(`/orders?${query}`);
  if (ids.length === 0) redirect("/orders?none=1");
  const result = await settleOutcomes(() => cancelChosenOrders(principal, ids));
  redirect(`/orders?${withResult(query, result)}`);
}

/** Cancels all orders, or those of one market, from the confirmation page. */
export async function cancelAllAndReturn(shown: Mode, form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const market = readText(form, "market");
  if (principal.mode !== shown) redirect("/orders?switched=1");
  const result = await settleOutcomes(() =>
    cancelOrders(principal, market === "" ? undefined : market),
  );
  // The grouped list has the other markets, too.
  const query = new URLSearchParams(
    isGroupedByMarket(form) ? GROUPING : market === "" ? {} : { market },
  );
  redirect(`/orders?${withResult(query, result)}`);
}

/** Cancels an order from its own page. */
export async function cancelFromDetail(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const orderId = readText(form, "one");
  const result = await settleOutcomes(() => cancelChosenOrders(principal, readIds([orderId])));
  const page = `/orders/${encodeURIComponent(orderId)}`;
  redirect(`${page}?${withResult(new URLSearchParams(), result)}`);
}

/** Cancels an order from a market's page, and reports how much of it was filled. */
export async function cancelOrderAction(_: unknown, form: FormData): Promise<ActionState> {
  const state = await runAction(form, async () => {
    const { principal } = await requireSession();
    const { filledShares } = await cancelOrder(principal, readText(form, "orderId"));
    return filledShares === 0n
      ? "Order canceled."
      : `Order canceled. ${formatShares(microToNumber(filledShares))} shares were already filled.`;
  });
  revalidatePath("/markets/[slug]", "page");
  return state;
}

/** Filters ids at runtime, because a client can send anything. */
function readIds(ids: readonly unknown[]): string[] {
  if (!Array.isArray(ids)) return [];
  return ids.filter((id) => typeof id === "string").slice(0, MAX_ROWS);
}

async function report(work: () => Promise<Outcomes>): Promise<CancelReport> {
  try {
    const { canceled, notCanceled } = await work();
    return { canceled, late: notCanceled, problem: null };
  } catch (error) {
    const problem = formatRefusal(toAppError(error).message, await getDisplay());
    return { canceled: [], late: [], problem };
  }
}

async function settleOutcomes(work: () => Promise<Outcomes>): Promise<Outcomes | ErrorCode> {
  try {
    return await work();
  } catch (error) {
    return toAppError(error).code;
  }
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  log.error("cancel failed", errorFields(error));
  return new AppError("INTERNAL_ERROR", "Something went wrong on our side. Try again.");
}

function withResult(query: URLSearchParams, result: Outcomes | ErrorCode): string {
  if (typeof result === "string") query.set("problem", result);
  else {
    query.set("canceled", String(result.canceled.length));
    query.set("late", String(result.notCanceled.length));
  }
  return query.toString();
}
