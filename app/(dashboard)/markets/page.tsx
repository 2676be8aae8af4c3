import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { type PageQuery, pickParams } from "@/app/_lib/search-params";
import { withNotFound } from "@/app/_lib/with-not-found";
import { watchAction } from "@/app/(dashboard)/markets/actions";
import {
  type BrowseParams,
  buildBrowseHref,
  PAGE_ROWS,
  readParams,
  toQuery,
} from "@/app/(dashboard)/markets/browse-url";
import { EventView } from "@/app/(dashboard)/markets/event";
import { ListDescription, ListLinks, MarketFilters } from "@/app/(dashboard)/markets/filters";
import { loadEvent } from "@/app/(dashboard)/markets/load-event";
import EventNotFound from "@/app/(dashboard)/markets/not-found";
import { PageAge } from "@/app/(dashboard)/markets/page-age";
import { MarketCards } from "@/components/markets/market-cards";
import { type MarketListProps, MarketTable } from "@/components/markets/market-table";
import type { MarketGroupWire } from "@/components/markets/market-view";
import { SearchCutNote } from "@/components/markets/search-cut-note";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { isTooLongSearch } from "@/lib/domain/search";
import { MarketBrowse } from "@/lib/schemas/market-pages";
import { browseMarkets, type BrowseQuery, listPopularMarkets } from "@/lib/markets/browse-markets";
import { getPriceTrails } from "@/lib/markets/price-trails";
import { readOptional } from "@/lib/optional-read";
import { withStaleReads, getDataTime } from "@/lib/stale-reads";

interface Props {
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { event } = pickParams(await searchParams, EVENT_PARAMS);
  if (event === undefined) return { title: "Markets" };
  const found = await loadEvent(event);
  if (!found.isKnown) return { title: "Event" };
  return { title: found.value?.group.title ?? "Event not found" };
}

/** An event's page is the list of its markets, so it has the same path. */
const EVENT_PARAMS = ["event", "range"] as const;

const POPULAR_SHOWN = 6;

async function MarketsPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const asked = await searchParams;
  const { event, range } = pickParams(asked, EVENT_PARAMS);
  if (event !== undefined) return renderEvent(event, range);
  const params = readParams(asked);
  const query = toQuery(params);
  const read = await withStaleReads(() => readLists(principal, query));
  if (!read.isKnown) {
    return (
      <>
        <PageHeader title="Markets" />
        <OutageCard outage={read.outage} what="Markets" />
      </>
    );
  }
  const { found, popular, trails } = read.value;
  const isEmpty = found.total === 0;
  const isCards = params.view === "cards";
  const lists = { watchAction, eventHref: "/markets?event=", now: Date.now(), trails, isCards };
  return (
    <>
      <PageHeader
        title="Markets"
        description={<ListDescription params={params} found={found} />}
        actions={
          <>
            <PageAge at={getDataTime(read.outage)} />
            <ListLinks params={params} />
          </>
        }
      />
      {read.outage && <OutageNote outage={read.outage} />}
      <MarketFilters params={params} categories={found.categories} />
      {typeof asked["q"] === "string" && isTooLongSearch(asked["q"]) && <SearchCutNote />}
      <section aria-labelledby="results" className="card overflow-hidden">
        <h2 id="results" className="sr-only">
          Results
        </h2>
        {isEmpty ? <NothingFound params={params} /> : <List groups={found.groups} {...lists} />}
      </section>
      {found.total > found.groups.length && (
        <p className="mt-4 text-center">
          <ButtonLink
            href={buildBrowseHref(params, { page: String(query.page + 1) })}
            scroll={false}
          >
            Show {Math.min(PAGE_ROWS, found.total - found.groups.length)} more
          </ButtonLink>
        </p>
      )}
      {isEmpty && (
        <section className="mt-6">
          <h2 className="mb-2 text-heading">Popular now</h2>
          <div className="card overflow-hidden">
            <List groups={popular} {...lists} />
          </div>
        </section>
      )}
    </>
  );
}

export default withNotFound(MarketsPage, EventNotFound);

async function renderEvent(slug: string, range: string | undefined) {
  const found = await loadEvent(slug);
  if (!found.isKnown) {
    return (
      <>
        <PageHeader title="Event" />
        <OutageCard outage={found.outage} what="This event" />
      </>
    );
  }
  if (!found.value) notFound();
  return <EventView loaded={found.value} range={range} />;
}

/** Returns the matching markets and, if there are none, popular ones. */
async function readLists(principal: Principal, query: BrowseQuery) {
  const found = z.encode(MarketBrowse, await browseMarkets(principal, query));
  const popular =
    found.total > 0
      ? []
      : z.encode(MarketBrowse, await listPopularMarkets(principal, POPULAR_SHOWN)).groups;
  const trails = await readOptional("price trails not read", NO_TRAILS, () =>
    readTrails(principal, [...found.groups, ...popular]),
  );
  return { found, popular, trails };
}

const NO_TRAILS: ReadonlyMap<string, readonly number[]> = new Map();

/** Reads the trails of all shown markets at once. */
async function readTrails(principal: Principal, groups: readonly MarketGroupWire[]) {
  const firsts = groups.flatMap(({ markets }) =>
    markets.flatMap(({ id, outcomes }) =>
      outcomes.slice(0, 1).map(({ tokenId }) => ({ id: tokenId, conditionId: id })),
    ),
  );
  const trails = await getPriceTrails(principal, firsts);
  return new Map(firsts.map(({ conditionId }, index) => [conditionId, trails[index] ?? []]));
}

interface ListProps extends MarketListProps {
  isCards: boolean;
}

function List({ isCards, ...list }: ListProps) {
  return isCards ? <MarketCards {...list} /> : <MarketTable {...list} />;
}

/** Explains an empty list, with a link to clear the filters. */
function NothingFound({ params }: { params: BrowseParams }) {
  if (params.q === undefined && params.list === "watch") {
    return (
      <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
        Your watchlist has no markets here. Select the star next to a market to add it.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <Link href="/markets" prefetch={false} className="link inline-flex min-h-11 items-center">
          Clear the search and all filters
        </Link>
      }
    >
      {params.q === undefined
        ? "No markets match these filters."
        : `No markets match “${params.q}”.`}
    </EmptyState>
  );
}
