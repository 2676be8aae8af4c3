import { toIconPath } from "@/components/format/icon-path";
import { Search } from "lucide-react";
import Link from "next/link";
import { z } from "zod";
import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { Money, Shares } from "@/components/format/values";
import { SearchCutNote } from "@/components/markets/search-cut-note";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import type { Portfolio } from "@/lib/schemas/account";
import { isTooLongSearch, MAX_SEARCH_LENGTH, shortenSearch } from "@/lib/domain/search";
import { MarketList } from "@/lib/schemas/markets";
import { listMarkets } from "@/lib/markets/list-markets";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  principal: Principal;
  search: string;
  /** Whether the URL has an unknown token. */
  isUnknown: boolean;
}

const SHOWN = 12;
const SHOWN_POSITIONS = 6;

/** The start of the trade page without a market: search, positions and popular markets. */
export async function MarketPicker({ principal, search, isUnknown }: Props) {
  const query = shortenSearch(search);
  const [found, held] = await Promise.all([
    withStaleReads(() => listMarkets(principal, { limit: SHOWN, ...(query && { search: query }) })),
    showPositions(principal),
  ]);
  const positions = (held ?? []).filter(({ redeemable }) => !redeemable).slice(0, SHOWN_POSITIONS);
  return (
    <div className="flex flex-col gap-4">
      {found.isKnown && found.outage && <OutageNote outage={found.outage} />}
      {isUnknown && (
        <Callout tone="warn" role="alert">
          We can&apos;t find this market. Search for it, or{" "}
          <Link href="/markets" className="link">
            browse markets
          </Link>
          .
        </Callout>
      )}
      <SearchForm search={query} />
      {isTooLongSearch(search) && <SearchCutNote />}
      {positions.length > 0 && query === "" && <Holdings positions={positions} />}
      {found.isKnown ? (
        <Results markets={z.encode(MarketList, found.value).markets} query={query} />
      ) : (
        <OutageCard outage={found.outage} what="Markets" />
      )}
    </div>
  );
}

function Results({ markets, query }: { markets: readonly MarketWire[]; query: string }) {
  return (
    <Card title={query === "" ? "Popular markets" : `Markets that match “${query}”`} isFlush>
      {markets.length === 0 ? (
        <EmptyState
          action={
            <Link className="link" href="/trade">
              Clear search
            </Link>
          }
        >
          No markets match “{query}”.
        </EmptyState>
      ) : (
        <Choices markets={markets} />
      )}
    </Card>
  );
}

function SearchForm({ search }: { search: string }) {
  return (
    <form action="/trade" role="search" aria-label="Markets to trade" className="flex gap-2">
      <div className="relative min-w-0 flex-1">
        <label htmlFor="trade-search" className="sr-only">
          Search markets to trade
        </label>
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-text-3"
        />
        <input
          id="trade-search"
          name="q"
          type="search"
          defaultValue={search}
          maxLength={MAX_SEARCH_LENGTH}
          placeholder="Search by name or event"
          autoComplete="off"
          className="control pl-9"
        />
      </div>
      <Button type="submit">Search</Button>
    </form>
  );
}

type PositionWire = z.input<typeof Portfolio>["positions"][number];

function Holdings({ positions }: { positions: readonly PositionWire[] }) {
  return (
    <Card title="Your positions" isFlush>
      <ul className="divide-y divide-border border-t border-border">
        {positions.map((position) => (
          <li key={position.id}>
            <Link
              href={`/trade?token=${position.id}&side=sell`}
              prefetch={false}
              className="flex min-h-11 items-center justify-between gap-4 px-3 py-2 hover:bg-surface-2 sm:px-4"
            >
              <span className="line-clamp-2 min-w-0">{position.marketTitle}</span>
              <span className="num text-right whitespace-nowrap">
                <Shares shares={position.shares} /> {position.outcome}
                <span className="block text-small text-text-2">
                  <Money usdc={position.value} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type MarketWire = z.input<typeof MarketList>["markets"][number];

function Choices({ markets }: { markets: readonly MarketWire[] }) {
  return (
    <ul className="divide-y divide-border border-t border-border">
      {markets.map((market) => (
        <li
          key={market.id}
          className="grid items-center gap-3 px-3 py-3 sm:px-4 md:grid-cols-[minmax(0,1fr)_280px]"
        >
          <span className="flex min-w-0 items-center gap-3">
            {market.iconUrl !== null && (
              <img
                src={toIconPath(market.iconUrl)}
                alt=""
                width={32}
                height={32}
                loading="lazy"
                className="size-8 shrink-0 rounded-control"
              />
            )}
            <span className="line-clamp-2 min-w-0">{market.title}</span>
          </span>
          <OutcomeLinks
            title={market.title}
            tickSize={market.tickSize}
            outcomes={market.outcomes.map(({ name, tokenId, bestAsk }) => ({
              name,
              tokenId,
              ask: bestAsk,
            }))}
          />
        </li>
      ))}
    </ul>
  );
}
