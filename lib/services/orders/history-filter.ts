import "server-only";
import { dayAfter, isDay, startOfDay } from "@/lib/domain/days";
import { type ClosedFilter, readClosedFilter } from "@/lib/services/orders/order-filters";

/** The order history's filter as it stands in an address. Its days are the reader's. */
export function readHistoryFilter(query: URLSearchParams, zone: string): ClosedFilter {
  const [from, to] = [dayOf(query, "from"), dayOf(query, "to")];
  return {
    ...readClosedFilter(query),
    from: from === null ? undefined : new Date(startOfDay(from, zone)),
    before: to === null ? undefined : new Date(startOfDay(dayAfter(to), zone)),
  };
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? "";
  return isDay(text) ? text : null;
}
