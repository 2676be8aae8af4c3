import type { Metadata } from "next";
import Link from "next/link";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { watchAction } from "@/app/(dashboard)/markets/actions";
import {
  type BrowseParams,
  browseHref,
  PAGE_ROWS,
  readParams,
  toQuery,
} from "@/app/(dashboard)/markets/browse-url";
import { MarketFilters } from "@/app/(dashboard)/markets/filters";
import { formatCount } from "@/components/format/numbers";
import { MarketCards } from "@/components/markets/market-cards";
import { type MarketListProps, MarketTable } from "@/components/markets/market-table";
import { PageRefresher } from "@/components/markets/page-refresher";
import { SilenceNote, SilentCard } from "@/components/system/venue-silence";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { MarketBrowse } from "@/lib/schemas/market-pages";
import {
  browseMarkets,
  type BrowseQuery,
  popularMarkets,
} from "@/lib/services/markets/browse-markets";
import { showing, shownAt } from "@/lib/showing";

export const metadata: Metadata = { title: "Markets" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const POPULAR_SHOWN = 6;

export default async function MarketsPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  const params = readParams(await searchParams);
  const query = toQuery(params);
  const shown = await showing(() => readLists(principal, query));
  if (!shown.isKnown) {
    return (
      <>
        <PageHeader title="Markets" />
        <SilentCard silence={shown.silence} what="Markets" />
      </>
    );
  }
  const { found, popular } = shown.value;
  const isEmpty = found.total === 0;
  const isCards = params.view === "cards";
  const lists = { watchAction, eventHref: "/markets?event=", now: Date.now(), isCards };
  return (
    <>
      <PageHeader
        title="Markets"
        description={`${formatCount(found.total)} ${found.total === 1 ? "event" : "events"}`}
        actions={<PageRefresher at={shownAt(shown.silence)} />}
      />
      {shown.silence && <SilenceNote silence={shown.silence} />}
      <MarketFilters params={params} categories={found.categories} />
      <section aria-label="Results" className="card overflow-hidden">
        {isEmpty ? <NothingFound params={params} /> : <List groups={found.groups} {...lists} />}
      </section>
      {found.total > found.groups.length && (
        <p className="mt-4 text-center">
          <ButtonLink href={browseHref(params, { page: String(query.page + 1) })} scroll={false}>
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

/** What matches; where nothing does, what others trade. */
async function readLists(principal: Principal, query: BrowseQuery) {
  const found = z.encode(MarketBrowse, await browseMarkets(principal, query));
  const popular = found.total > 0 ? null : await popularMarkets(principal, POPULAR_SHOWN);
  return { found, popular: popular ? z.encode(MarketBrowse, popular).groups : [] };
}

interface ListProps extends MarketListProps {
  isCards: boolean;
}

function List({ isCards, ...list }: ListProps) {
  return (
    <>
      {!isCards && <MarketTable {...list} />}
      <MarketCards {...list} isFallback={!isCards} />
    </>
  );
}

/** Why there is nothing, and the one way out of it. */
function NothingFound({ params }: { params: BrowseParams }) {
  if (params.q === undefined && params.list === "watch") {
    return (
      <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
        Nothing on your watchlist here. The star beside a market puts it on.
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
        ? "No market matches these filters."
        : `No market matches “${params.q}”.`}
    </EmptyState>
  );
}
