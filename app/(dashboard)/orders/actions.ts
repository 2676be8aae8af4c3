"use server";

import { redirect } from "next/navigation";
import { textOf } from "@/app/_lib/action";
import { assertShown, requireSession } from "@/app/_lib/require-session";
import type { CancelReport } from "@/components/orders/cancel-report";
import { AppError, type ErrorCode } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import { cancelChosenOrders, cancelOrders } from "@/lib/services/orders/cancel-orders";
import { MAX_ROWS } from "@/lib/services/page-size";
import type { Mode } from "@/lib/venue/port";

type Outcomes = Awaited<ReturnType<typeof cancelOrders>>;

export async function cancelNow(orderIds: string[]): Promise<CancelReport> {
  const { principal } = await requireSession();
  return report(() => cancelChosenOrders(principal, readIds(orderIds)));
}

/** @param shown the account whose orders the page shows. */
export async function cancelAllNow(shown: Mode, marketId: string | null): Promise<CancelReport> {
  const { principal } = await requireSession();
  const market = typeof marketId === "string" ? marketId : undefined;
  return report(async () => {
    assertShown(principal, shown);
    return cancelOrders(principal, market);
  });
}

/** Without JavaScript: cancels what the form names, then shows the list again. */
export async function cancelAndReturn(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const one = textOf(form, "one");
  const ids = readIds(one === "" ? form.getAll("order") : [one]);
  const query = new URLSearchParams(textOf(form, "back"));
  if (ids.length === 0) redirect("/orders?none=1");
  const result = await tell(() => cancelChosenOrders(principal, ids));
  redirect(`/orders?${withResult(query, result)}`);
}

/** From the page that asks: cancels every order, or those of one market. */
export async function cancelAllAndReturn(shown: Mode, form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const market = textOf(form, "market");
  if (principal.mode !== shown) redirect("/orders?switched=1");
  const result = await tell(() => cancelOrders(principal, market === "" ? undefined : market));
  const query = new URLSearchParams(market === "" ? {} : { market });
  redirect(`/orders?${withResult(query, result)}`);
}

/** From an order's own page. */
export async function cancelFromDetail(form: FormData): Promise<void> {
  const { principal } = await requireSession();
  const orderId = textOf(form, "one");
  const result = await tell(() => cancelChosenOrders(principal, readIds([orderId])));
  const page = `/orders/${encodeURIComponent(orderId)}`;
  redirect(`${page}?${withResult(new URLSearchParams(), result)}`);
}

/** What a caller sends is anything, whatever its type says. */
function readIds(ids: readonly unknown[]): string[] {
  if (!Array.isArray(ids)) return [];
  return ids.filter((id) => typeof id === "string").slice(0, MAX_ROWS);
}

async function report(work: () => Promise<Outcomes>): Promise<CancelReport> {
  try {
    const { canceled, notCanceled } = await work();
    return { canceled, late: notCanceled, problem: null };
  } catch (error) {
    return { canceled: [], late: [], problem: appErrorOf(error).message };
  }
}

async function tell(work: () => Promise<Outcomes>): Promise<Outcomes | ErrorCode> {
  try {
    return await work();
  } catch (error) {
    return appErrorOf(error).code;
  }
}

function appErrorOf(error: unknown): AppError {
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
