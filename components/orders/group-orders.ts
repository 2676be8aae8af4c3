import { formatCount } from "@/components/format/numbers";
import type { OpenOrdersWire, OpenOrderWire } from "@/lib/browser/use-open-orders";

/** The parameters of the orders page that group its open orders. */
export const GROUPING = { group: "market" } as const;

/** Returns whether a query or a form asks for groups. */
export const isGroupedByMarket = (fields: URLSearchParams | FormData): boolean =>
  fields.get("group") === GROUPING.group;

/** Adds the grouping to a query string of the orders page. */
export function withGrouping(query: string, isGrouped: boolean): string {
  if (!isGrouped) return query;
  return `${query}${query === "" ? "" : "&"}group=${GROUPING.group}`;
}

/** Builds the address of the orders page with filters. */
export function buildOrdersHref(filters: string, isGrouped: boolean): string {
  const query = withGrouping(filters, isGrouped);
  return `/orders${query === "" ? "" : `?${query}`}`;
}

/** ", 1 waiting for approval", after a count of orders that includes it. */
export const formatWaiting = ({ waiting }: Pick<OpenOrdersWire["totals"], "waiting">): string =>
  waiting === 0 ? "" : `, ${formatCount(waiting)} waiting for approval`;

/** The open orders of a market. */
export interface OrderGroup {
  marketId: string;
  title: string;
  slug: string;
  iconUrl: string;
  /** The listed orders, newest first. */
  orders: readonly OpenOrderWire[];
  /** The cash and shares that canceling all orders of the market releases, also those that aren't listed. */
  totals: OpenOrdersWire["totals"];
}

/** Groups orders by market. The market of the newest order comes first. */
export function groupByMarket(
  orders: readonly OpenOrderWire[],
  markets: readonly Pick<OpenOrdersWire["markets"][number], "id" | "totals">[],
): OrderGroup[] {
  const ids = [...new Set(orders.map(({ marketId }) => marketId))];
  return ids.flatMap((marketId) => {
    const inMarket = orders.filter((order) => order.marketId === marketId);
    const [first] = inMarket;
    if (!first) return [];
    const known = markets.find(({ id }) => id === marketId);
    return {
      marketId,
      title: first.marketTitle,
      slug: first.marketSlug,
      iconUrl: first.iconUrl,
      orders: inMarket,
      totals: known?.totals ?? NO_TOTALS,
    };
  });
}

/** The totals of an order that is listed while it is edited, although it was canceled. */
const NO_TOTALS = { count: 0, waiting: 0, buys: 0, sells: 0 };
