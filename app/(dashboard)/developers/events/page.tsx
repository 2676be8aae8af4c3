import type { Metadata } from "next";
import { z } from "zod";
import { type PageQuery, pickQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { DeveloperTabs } from "@/app/(dashboard)/developers/developer-tabs";
import type { AccountEventWire, EventMarkets } from "@/components/developers/event-subject";
import { EventTable } from "@/components/developers/event-table";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FilterForm, FilterInput, FilterSelect } from "@/components/ui/filter-form";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/page-links";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { listKeyNames } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import {
  ACCOUNT_EVENT_TYPES,
  type AccountEventType,
  EVENT_KINDS,
} from "@/lib/domain/account-events";
import { AppError } from "@/lib/errors";
import { browseEvents } from "@/lib/events/browse-events";
import { AccountEvent } from "@/lib/schemas/events";
import { formatMicro } from "@/lib/units";

export const metadata: Metadata = { title: "Events" };

const LOG = "/developers/events";
const FILTERS = ["type", "order"] as const;
/** Ends the value of a filter that stands for all types of a kind: `order.*`. */
const ALL_OF_KIND = ".*";

interface Props {
  searchParams: Promise<PageQuery>;
}

export default async function EventsPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const query = toSearchParams(await searchParams);
  const [page, keyNames] = await Promise.all([
    readPage(principal, query),
    listKeyNames(principal.userId),
  ]);
  const filters = pickQuery(query, FILTERS);
  const base = filters === "" ? LOG : `${LOG}?${filters}`;
  return (
    <>
      <PageHeader
        title="Events"
        description={
          <>
            Everything that happened to this account, numbered without gaps. Programs read it with{" "}
            <a href="/docs/events#listEvents" className="link whitespace-nowrap">
              GET /v1/events
            </a>
            .
          </>
        }
        actions={
          <>
            <ButtonLink href="/keys?tab=requests">API requests</ButtonLink>
            <ButtonLink href="/docs/event-types">Event types</ButtonLink>
          </>
        }
      />
      <RefreshOnAccountChange />
      <DeveloperTabs current="events" />
      <div className="flex flex-col gap-4">
        <FilterForm action={LOG} label="Filter events" clearHref={filters === "" ? undefined : LOG}>
          <FilterSelect
            label="Type"
            name="type"
            all="All types"
            value={query.get("type") ?? ""}
            options={listTypeOptions()}
          />
          <FilterInput
            label="Order id"
            name="order"
            type="search"
            value={query.get("order") ?? ""}
          />
        </FilterForm>
        <Card isFlush>
          {page === null ? (
            <ErrorState
              headline="This page is no longer available."
              action={<ButtonLink href={base}>Show the newest events</ButtonLink>}
            />
          ) : page.events.length === 0 ? (
            <NoEvents isFiltered={filters !== ""} />
          ) : (
            <>
              <EventTable
                events={page.events}
                markets={page.markets}
                keyNames={Object.fromEntries(keyNames)}
              />
              <PageLinks
                base={base}
                nextCursor={page.nextCursor}
                isFirst={!query.has("cursor")}
                newest="Newest events"
                older="Older events"
              />
            </>
          )}
        </Card>
      </div>
    </>
  );
}

type BrowsedMarkets = Awaited<ReturnType<typeof browseEvents>>["markets"];

interface EventPage {
  events: readonly AccountEventWire[];
  markets: EventMarkets;
  nextCursor: string | null;
}

/** Returns null for an invalid cursor. */
async function readPage(principal: Principal, query: URLSearchParams): Promise<EventPage | null> {
  const filter = {
    types: parseTypes(query.get("type") ?? ""),
    orderId: query.get("order") ?? undefined,
  };
  try {
    const page = await browseEvents(principal, filter, query.get("cursor") ?? undefined);
    return {
      ...page,
      events: page.events.map((event) => z.encode(AccountEvent, event)),
      markets: mapMarkets(page.markets),
    };
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return null;
    throw error;
  }
}

function mapMarkets(rows: BrowsedMarkets): EventMarkets {
  return new Map(
    [...rows].map(([id, { title, tick, firstToken, firstOutcome, secondOutcome }]) => [
      id,
      { title, tickSize: formatMicro(tick), firstToken, firstOutcome, secondOutcome },
    ]),
  );
}

/** Returns the types of a filter: one, or all of a kind. An unknown filter has none. */
function parseTypes(text: string): AccountEventType[] | undefined {
  if (text === "") return undefined;
  return ACCOUNT_EVENT_TYPES.filter((type) =>
    text.endsWith(ALL_OF_KIND) ? type.startsWith(text.slice(0, -1)) : type === text,
  );
}

function listTypeOptions(): { value: string; label: string }[] {
  return EVENT_KINDS.flatMap(({ name, types }) => {
    const all = { value: `${name}${ALL_OF_KIND}`, label: `${name}: all` };
    const each = types.map((type) => ({ value: type, label: type }));
    return types.length === 1 ? each : [all, ...each];
  });
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState action={<ButtonLink href={LOG}>Clear filters</ButtonLink>}>
        No events match these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
      Orders, fills, deposits and everything else appear here as they happen.
    </EmptyState>
  );
}
