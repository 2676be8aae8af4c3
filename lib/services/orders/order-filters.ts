import "server-only";
import { dayAfter, isDay, startOfDay } from "@/lib/domain/days";
import { CLOSED_STATUSES, type OrderStatus } from "@/lib/domain/order-status";

const MAX_TEXT = 100;

export interface OpenFilter {
  market?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  /** Part of the market's title, of the outcome's name or of the order's id. */
  text?: string | undefined;
}

export interface ClosedFilter {
  market?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  status?: OrderStatus | undefined;
  /** Closed at this instant or later. */
  from?: Date | undefined;
  /** Closed before this instant. */
  before?: Date | undefined;
}

/**
 * Filters as they stand in an address. What is not understood filters nothing: an address may come
 * from an old bookmark.
 */
export function readOpenFilter(query: URLSearchParams): OpenFilter {
  return {
    market: textOf(query, "market"),
    action: actionOf(query),
    text: textOf(query, "q")?.slice(0, MAX_TEXT),
  };
}

/** Days are the reader's, in `zone`; the last one counts in full. */
export function readClosedFilter(query: URLSearchParams, zone: string): ClosedFilter {
  const [from, to] = [dayOf(query, "from"), dayOf(query, "to")];
  return {
    market: textOf(query, "market"),
    action: actionOf(query),
    status: CLOSED_STATUSES.find((status) => status === query.get("status")),
    from: from === null ? undefined : new Date(startOfDay(from, zone)),
    before: to === null ? undefined : new Date(startOfDay(dayAfter(to), zone)),
  };
}

function textOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  return text ? text : undefined;
}

function actionOf(query: URLSearchParams): "BUY" | "SELL" | undefined {
  const side = query.get("side");
  if (side === "buy") return "BUY";
  return side === "sell" ? "SELL" : undefined;
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? "";
  return isDay(text) ? text : null;
}
