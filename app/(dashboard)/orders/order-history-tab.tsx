import { Download } from "lucide-react";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { pickQuery } from "@/app/_lib/search-params";
import { SIDES } from "@/app/(dashboard)/orders/open-orders-tab";
import { formatCount } from "@/components/format/numbers";
import { formatZone } from "@/components/format/times";
import { KeyFilter } from "@/components/keys/key-filter";
import { OrderHistory } from "@/components/orders/order-history";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FilterForm, FilterInput, FilterSelect } from "@/components/ui/filter-form";
import { PageLinks } from "@/components/ui/page-links";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import { CLOSED_STATUSES } from "@/lib/domain/order-status";
import { AppError } from "@/lib/errors";
import { OrderHistoryPage } from "@/lib/schemas/dashboard-orders";
import { listHistoryMarkets, listOrderHistory } from "@/lib/orders/order-history";
import { parseHistoryFilter } from "@/lib/orders/order-filters";
import { MAX_EXPORTED } from "@/lib/orders/export-orders";

const HISTORY = "/orders?tab=history";
const FOLDED = ["status", "side", "market", "key", "from", "to"] as const;
const FILTERS = ["q", ...FOLDED] as const;
const STATUSES = CLOSED_STATUSES.map((status) => ({
  value: status,
  // An edit cancels the order and places another one; the list shows the first as Replaced.
  label:
    status === "canceled"
      ? "Canceled or replaced"
      : `${status.charAt(0).toUpperCase()}${status.slice(1)}`,
}));

type Page = z.input<typeof OrderHistoryPage>;

interface Props {
  principal: Principal;
  query: URLSearchParams;
}

/** The order history with filters, pages and an export. */
export async function OrderHistoryTab({ principal, query }: Props) {
  const { zone } = await getDisplay();
  const [page, markets, keyNames] = await Promise.all([
    readPage(principal, query, zone),
    listHistoryMarkets(principal),
    listKeyNames(principal.userId, principal.mode),
  ]);
  const filters = pickQuery(query, FILTERS);
  const base = filters === "" ? HISTORY : `${HISTORY}&${filters}`;
  const fileQuery = new URLSearchParams(filters);
  fileQuery.set("zone", zone);
  // A phone shows the chip only after a swipe.
  const keyName = keyNames.get(query.get("key") ?? "");
  return (
    <div className="flex flex-col gap-4">
      <RefreshOnAccountChange />
      {(filters !== "" || markets.length > 0) && (
        <HistoryFilters query={query} markets={markets} keyNames={keyNames} zone={zone} />
      )}
      <Card
        isFlush
        title={keyName === undefined ? "Closed orders" : `Closed orders of “${keyName}”`}
        actions={
          <ButtonLink
            size="small"
            href={`/api/ui/orders.csv?${fileQuery}`}
            download
            title={`Up to ${formatCount(MAX_EXPORTED)} orders`}
          >
            <Download aria-hidden="true" className="size-4" /> Export CSV
          </ButtonLink>
        }
      >
        {page === null ? (
          <ErrorState
            headline="This page is no longer available."
            action={<ButtonLink href={base}>Show the newest orders</ButtonLink>}
          />
        ) : page.orders.length === 0 ? (
          <NoOrders isFiltered={filters !== ""} />
        ) : (
          <>
            <p className="hidden pb-2 print:block">
              {[describePage(page, query), ...listFilters(query, markets, keyNames)].join(" · ")}
            </p>
            <OrderHistory orders={page.orders} />
            <PageLinks
              base={base}
              nextCursor={page.nextCursor}
              isFirst={!query.has("cursor")}
              newest="Newest orders"
              older="Older orders"
            />
          </>
        )}
      </Card>
    </div>
  );
}

/** Returns null for an invalid cursor. */
async function readPage(principal: Principal, query: URLSearchParams, zone: string) {
  const nextCursor = query.get("cursor") ?? undefined;
  try {
    const page = await listOrderHistory(principal, parseHistoryFilter(query, zone), { nextCursor });
    return z.encode(OrderHistoryPage, page);
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return null;
    throw error;
  }
}

/** Says on paper, which has no links to other pages, which of the orders it holds. */
function describePage({ orders, nextCursor }: Page, query: URLSearchParams): string {
  const count = formatCount(orders.length);
  const noun = orders.length === 1 ? "closed order" : "closed orders";
  if (query.has("cursor")) return `${count} older ${noun}`;
  return nextCursor === null ? `All ${count} ${noun}` : `The newest ${count} ${noun}`;
}

/** Lists the filters as words, for paper, which has no fields: "Status: Filled", "From: 2026-11-01". */
function listFilters(
  query: URLSearchParams,
  markets: FilterProps["markets"],
  keyNames: FilterProps["keyNames"],
): string[] {
  const value = (name: string) => query.get(name) ?? "";
  const filters = {
    Search: value("q"),
    Status: STATUSES.find((status) => status.value === value("status"))?.label,
    Side: SIDES.find((side) => side.value === value("side"))?.label,
    Market: markets.find(({ id }) => id === value("market"))?.title ?? value("market"),
    Key: keyNames.get(value("key")) ?? value("key"),
    From: value("from"),
    To: value("to"),
  };
  return Object.entries(filters).flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []));
}

interface FilterProps {
  query: URLSearchParams;
  markets: readonly { id: string; title: string }[];
  keyNames: ReadonlyMap<string, string>;
  /** The zone in which days begin and end. */
  zone: string;
}

function HistoryFilters({ query, markets, keyNames, zone }: FilterProps) {
  const value = (name: string) => query.get(name) ?? "";
  const isFiltered = pickQuery(query, FILTERS) !== "";
  const dates = `Dates in ${formatZone(zone)}`;
  const activeCount = FOLDED.filter((name) => query.has(name)).length;
  const fields = (
    <>
      <FilterSelect
        label="Status"
        name="status"
        all="Any status"
        value={value("status")}
        options={STATUSES}
      />
      <FilterSelect
        label="Side"
        name="side"
        all="Buys and sells"
        value={value("side")}
        options={SIDES}
      />
      <FilterSelect
        label="Market"
        name="market"
        all="All markets"
        value={value("market")}
        options={markets.map(({ id, title }) => ({ value: id, label: title }))}
      />
      {keyNames.size > 0 && <KeyFilter names={keyNames} value={value("key")} />}
      <FilterInput label="From" name="from" type="date" value={value("from")} title={dates} />
      <FilterInput label="To" name="to" type="date" value={value("to")} title={dates} />
    </>
  );
  return (
    <FilterForm
      action="/orders"
      label="Filter closed orders"
      fixed={{ tab: "history" }}
      clearHref={isFiltered ? HISTORY : undefined}
      folded={{ fields, label: "More filters", activeCount }}
    >
      <FilterInput label="Search" name="q" type="search" value={value("q")} />
    </FilterForm>
  );
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
        No closed orders yet. Filled, canceled and rejected orders appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<ButtonLink href={HISTORY}>Clear filters</ButtonLink>}>
      No closed orders match these filters.
    </EmptyState>
  );
}
