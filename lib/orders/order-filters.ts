import "server-only";
import { addDay, isDay, toStartOfDay } from "@/lib/domain/days";
import { CLOSED_STATUSES, type OrderStatus } from "@/lib/domain/order-status";

const MAX_TEXT = 100;

export interface OpenOrdersFilter {
  market?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  /** Part of the market's title, of the outcome's name or of the order id. */
  text?: string | undefined;
  /** The most orders to return. */
  rows?: number | undefined;
}

export interface HistoryFilter {
  market?: string | undefined;
  /** Part of the market's title or of the order id. */
  text?: string | undefined;
  action?: "BUY" | "SELL" | undefined;
  status?: OrderStatus | undefined;
  /** The API key that placed it. */
  keyId?: string | undefined;
  /** Closed at this instant or later. */
  from?: Date | undefined;
  /** Closed before this instant. */
  before?: Date | undefined;
}

/**
 * Parses the filters of the open orders from a page's URL. Ignores unknown values, because the URL may
 * be an old bookmark.
 */
export function parseOpenOrdersFilter(query: URLSearchParams): OpenOrdersFilter {
  return {
    market: readText(query, "market"),
    action: readAction(query),
    text: readText(query, "q")?.slice(0, MAX_TEXT),
    rows: readCount(query, "rows"),
  };
}

/** Parses the filters of the order history. Days are in the time zone `zone`, and `to` is inclusive. */
export function parseHistoryFilter(query: URLSearchParams, zone: string): HistoryFilter {
  const [from, to] = [readDay(query, "from"), readDay(query, "to")];
  return {
    market: readText(query, "market"),
    text: readText(query, "q")?.slice(0, MAX_TEXT),
    action: readAction(query),
    status: CLOSED_STATUSES.find((status) => status === query.get("status")),
    keyId: readText(query, "key"),
    from: from === null ? undefined : new Date(toStartOfDay(from, zone)),
    before: to === null ? undefined : new Date(toStartOfDay(addDay(to), zone)),
  };
}

function readText(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)?.trim();
  return text ? text : undefined;
}

function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

function readAction(query: URLSearchParams): "BUY" | "SELL" | undefined {
  const side = query.get("side");
  if (side === "buy") return "BUY";
  return side === "sell" ? "SELL" : undefined;
}

function readDay(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? "";
  return isDay(text) ? text : null;
}
