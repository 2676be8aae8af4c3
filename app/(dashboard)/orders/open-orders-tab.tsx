import { z } from "zod";
import { pickQuery } from "@/app/_lib/search-params";
import { replaceInRow } from "@/app/(dashboard)/orders/[orderId]/edit/actions";
import { cancelAllNow, cancelAndReturn, cancelNow } from "@/app/(dashboard)/orders/actions";
import { OpenOrders } from "@/components/orders/open-orders";
import {
  buildOrdersHref,
  GROUPING,
  isGroupedByMarket,
  withGrouping,
} from "@/components/orders/group-orders";
import { MarketFilter } from "@/components/orders/market-filter";
import { FilterForm, FilterInput, FilterSelect } from "@/components/ui/filter-form";
import { FilterLink } from "@/components/ui/filter-link";
import type { Principal } from "@/lib/auth/principal";
import { OpenOrdersView } from "@/lib/schemas/dashboard-orders";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { parseOpenOrdersFilter } from "@/lib/orders/order-filters";

const FOLDED = ["market", "side"] as const;
const FILTERS = [...FOLDED, "q"] as const;
/** The most orders of the list. The browser renders each twice, as a row and as a card. */
const MOST_ROWS = 200;

interface Props {
  principal: Principal;
  query: URLSearchParams;
}

/** The open orders with their filters. */
export async function OpenOrdersTab({ principal, query }: Props) {
  const board = z.encode(
    OpenOrdersView,
    await getOpenOrdersView(principal, { ...parseOpenOrdersFilter(query), rows: MOST_ROWS }),
  );
  const filters = pickQuery(query, FILTERS);
  const isGrouped = isGroupedByMarket(query);
  const hasFilters = filters !== "" || board.orders.length > 0;
  return (
    <div className="flex flex-col gap-4">
      {hasFilters && (
        <FilterForm
          action="/orders"
          label="Filter open orders"
          fixed={isGrouped ? GROUPING : {}}
          clearHref={filters === "" ? undefined : buildOrdersHref("", isGrouped)}
          folded={{
            fields: (
              <>
                <MarketFilter markets={board.markets} value={query.get("market") ?? ""} />
                <FilterSelect
                  label="Side"
                  name="side"
                  all="Buys and sells"
                  value={query.get("side") ?? ""}
                  options={SIDES}
                />
                <FilterLink href={buildOrdersHref(filters, !isGrouped)} isCurrent={isGrouped}>
                  Group by market
                </FilterLink>
              </>
            ),
            label: "More filters",
            activeCount: FOLDED.filter((name) => query.has(name)).length + (isGrouped ? 1 : 0),
          }}
        >
          <FilterInput label="Search" name="q" type="search" value={query.get("q") ?? ""} />
        </FilterForm>
      )}
      <OpenOrders
        // Each filter has its own list.
        key={filters}
        initial={{ data: board, at: Date.now() }}
        query={filters}
        isGrouped={isGrouped}
        back={withGrouping(filters, isGrouped)}
        market={query.get("market")}
        rows={MOST_ROWS}
        actions={{
          cancelNow,
          cancelAllNow: cancelAllNow.bind(null, principal.mode),
          cancelAndReturn,
          replaceInRow,
        }}
      />
      <noscript>
        <p className="text-small text-text-2">
          This list doesn&rsquo;t update without JavaScript. Reload the page to see changes.
        </p>
      </noscript>
    </div>
  );
}

export const SIDES = [
  { value: "buy", label: "Buys" },
  { value: "sell", label: "Sells" },
] as const;
