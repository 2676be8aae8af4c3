import Link from "next/link";
import type { ReactNode } from "react";
import { z } from "zod";
import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import { toIconPath } from "@/components/format/icon-path";
import { formatProbability } from "@/components/format/numbers";
import { showPosition } from "@/components/format/sums";
import { Money, Shares } from "@/components/format/values";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { SearchBox } from "@/components/markets/search-box";
import { SearchCutNote } from "@/components/markets/search-cut-note";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import type { Portfolio } from "@/lib/schemas/account";
import { isTooLongSearch, shortenSearch } from "@/lib/domain/search";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import { MarketList } from "@/lib/schemas/markets";
import { listMarkets } from "@/lib/markets/list-markets";
import { listPicks } from "@/lib/markets/list-picks";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  principal: Principal;
  search: string;
  /** Whether the URL has an unknown token. */
  isUnknown: boolean;
}

const SHOWN = 12;
const SHOWN_BESIDE = 5;

/** Search and popular markets, beside the account's positions, watchlist and recent markets. */
export async function MarketPicker({ principal, search, isUnknown }: Props) {
  const query = shortenSearch(search);
  const [found, own, held] = await Promise.all([
    withStaleReads(() => listMarkets(principal, { limit: SHOWN, ...(query && { search: query }) })),
    withStaleReads(() => listPicks(principal, SHOWN_BESIDE)),
    showPositions(principal),
  ]);
  const positions = (held ?? []).filter(({ redeemable }) => !redeemable).slice(0, SHOWN_BESIDE);
  const watched = own.isKnown ? encodeMarkets(own.value.watched) : [];
  const recent = own.isKnown ? encodeMarkets(own.value.recent) : [];
  return (
    <div className="flex flex-col gap-4">
      {found.isKnown && found.outage && <OutageNote outage={found.outage} />}
      {isUnknown && (
        <Callout tone="warn" role="alert">
          We can&rsquo;t find this market. Search for it, or{" "}
          <Link href="/markets" className="link">
            browse markets
          </Link>
          .
        </Callout>
      )}
      <SearchBox path="/trade" search={query} otherParams={[]} />
      {isTooLongSearch(search) && <SearchCutNote />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22.5rem]">
        {found.isKnown ? (
          <Results markets={encodeMarkets(found.value.markets)} query={query} />
        ) : (
          <OutageCard outage={found.outage} what="Markets" />
        )}
        {/* A search comes before the account's own markets. On a phone those are first otherwise. */}
        <div
          className={`flex flex-col gap-4 empty:hidden ${query === "" ? "max-lg:order-first" : ""}`}
        >
          {positions.length > 0 && <Holdings positions={positions} />}
          {watched.length > 0 && <Picks title="Watchlist" markets={watched} />}
          {recent.length > 0 && <Picks title="Recently traded" markets={recent} />}
        </div>
      </div>
    </div>
  );
}

type MarketWire = z.input<typeof MarketList>["markets"][number];

const encodeMarkets = (markets: z.output<typeof MarketList>["markets"]) =>
  z.encode(MarketList.shape.markets, markets);

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
        <Rows>
          {markets.map((market) => (
            <li
              key={market.id}
              className="grid items-center gap-x-4 gap-y-2 px-3 py-2.5 sm:px-4 md:grid-cols-[minmax(0,1fr)_5ch_16.25rem]"
            >
              <Title market={market} />
              <span className="num text-right font-[550] max-md:hidden">
                {formatProbability(market.outcomes[0].price)}
              </span>
              <Prices market={market} />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

function Picks({ title, markets }: { title: string; markets: readonly MarketWire[] }) {
  return (
    <Card title={title} isFlush>
      <Rows>
        {markets.map((market) => (
          <li key={market.id} className="flex flex-col gap-2 px-3 py-2.5 sm:px-4">
            <Title market={market} />
            <Prices market={market} />
          </li>
        ))}
      </Rows>
    </Card>
  );
}

type PositionWire = z.input<typeof Portfolio>["positions"][number];

function Holdings({ positions }: { positions: readonly PositionWire[] }) {
  return (
    <Card title="Your positions" isFlush>
      <Rows>
        {positions.map((position) => (
          <li key={position.id}>
            <Link
              href={buildTicketHref(position.marketSlug, { token: position.id, side: "sell" })}
              prefetch={false}
              className="flex min-h-11 items-center justify-between gap-4 px-3 py-2 hover:bg-surface-2 sm:px-4"
            >
              <span className="line-clamp-2 min-w-0">
                <span className="sr-only">Sell: </span>
                {position.marketTitle}
              </span>
              <span className="num text-right whitespace-nowrap">
                <Shares shares={position.shares} /> {position.outcome}
                <span className="block text-small text-text-2">
                  <Money usdc={showPosition(position).value} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

const Rows = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y divide-border border-t border-border">{children}</ul>
);

function Title({ market }: { market: MarketWire }) {
  return (
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
      <Link
        href={`/markets/${market.slug}`}
        prefetch={false}
        className="line-clamp-2 min-w-0 font-[550] hover:underline max-lg:py-2"
      >
        {market.title}
      </Link>
    </span>
  );
}

function Prices({ market }: { market: MarketWire }) {
  return (
    <OutcomeLinks
      slug={market.slug}
      title={market.title}
      tickSize={market.tickSize}
      outcomes={market.outcomes.map(({ name, tokenId, bestAsk }) => ({
        name,
        tokenId,
        ask: bestAsk,
      }))}
    />
  );
}
