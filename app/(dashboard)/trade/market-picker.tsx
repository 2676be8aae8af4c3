import Link from "next/link";
import type { ReactNode } from "react";
import { z } from "zod";
import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import { toIconPath } from "@/components/format/icon-path";
import { showPosition } from "@/components/format/sums";
import { TimeStamp } from "@/components/format/time-stamp";
import { DirectionValue, Money, Probability, Shares } from "@/components/format/values";
import { MarketIcon } from "@/components/markets/market-parts";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { SearchBox } from "@/components/markets/search-box";
import { SearchCutNote } from "@/components/markets/search-cut-note";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import type { Portfolio } from "@/lib/schemas/account";
import { isCombo } from "@/lib/domain/combo";
import { isTooLongSearch, shortenSearch } from "@/lib/domain/search";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import { type MarketLine, MarketBrowse } from "@/lib/schemas/market-pages";
import { MarketList } from "@/lib/schemas/markets";
import { listPopularMarkets } from "@/lib/markets/browse-markets";
import { listMarkets } from "@/lib/markets/list-markets";
import { listPicks } from "@/lib/markets/list-picks";
import { withStaleReads } from "@/lib/stale-reads";

interface Props {
  principal: Principal;
  search: string;
  /** Whether the URL has an unknown token. */
  isUnknown: boolean;
}

const SHOWN_FOUND = 12;
/** Lists of a few markets: the Markets page has all of them. */
const SHOWN = 5;

/** A search for the market of the next order. Without one, the markets that the account uses. */
export async function MarketPicker({ principal, search, isUnknown }: Props) {
  const query = shortenSearch(search);
  return (
    <div className="flex flex-col gap-4">
      {isUnknown && (
        <Callout tone="warn" role="alert">
          We can&rsquo;t find this market. Search for it, or{" "}
          <Link href="/markets" className="link">
            browse markets
          </Link>
          .
        </Callout>
      )}
      <SearchBox path="/trade" search={query} otherParams={[]} isFocused />
      {isTooLongSearch(search) && <SearchCutNote />}
      {query === "" ? (
        <OwnMarkets principal={principal} />
      ) : (
        <FoundMarkets principal={principal} query={query} />
      )}
    </div>
  );
}

/** The account's positions, watchlist and recent markets, then popular markets: each market once. */
async function OwnMarkets({ principal }: Pick<Props, "principal">) {
  const [popular, own, held] = await Promise.all([
    // Some of them are in a list above.
    withStaleReads(() => listPopularMarkets(principal, 2 * SHOWN)),
    withStaleReads(() => listPicks(principal, SHOWN)),
    showPositions(principal),
  ]);
  const positions = (held ?? [])
    .filter(({ id, redeemable }) => !redeemable && !isCombo(id))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, SHOWN);
  const takeNew = createTaker(positions.map(({ marketSlug }) => marketSlug));
  const watched = takeNew(own.isKnown ? encodeMarkets(own.value.watched) : []);
  const recent = takeNew(own.isKnown ? encodeMarkets(own.value.recent) : []);
  const others = takeNew(popular.isKnown ? pickLikeliest(popular.value) : []).slice(0, SHOWN);
  return (
    <>
      {popular.isKnown && popular.outage && <OutageNote outage={popular.outage} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2 lg:*:only:col-span-full">
        {positions.length > 0 && <Holdings positions={positions} />}
        {watched.length > 0 && <Picks title="Watchlist" markets={watched} />}
        {recent.length > 0 && <Picks title="Recently traded" markets={recent} />}
        {popular.isKnown ? (
          <Picks
            title="Popular markets"
            markets={others}
            actions={
              <Link href="/markets" className="link text-small">
                All markets
              </Link>
            }
          />
        ) : (
          <OutageCard outage={popular.outage} what="Markets" />
        )}
      </div>
    </>
  );
}

/** Returns a function that leaves out the markets that were taken before. */
function createTaker(slugs: readonly (string | null)[]) {
  const taken = new Set(slugs);
  return (markets: readonly Picked[]): Picked[] => {
    const fresh = markets.filter(({ slug }) => !taken.has(slug));
    for (const { slug } of fresh) taken.add(slug);
    return fresh;
  };
}

interface FoundProps extends Pick<Props, "principal"> {
  query: string;
}

async function FoundMarkets({ principal, query }: FoundProps) {
  const found = await withStaleReads(() =>
    listMarkets(principal, { limit: SHOWN_FOUND, search: query }),
  );
  if (!found.isKnown) return <OutageCard outage={found.outage} what="Markets" />;
  const markets = encodeMarkets(found.value.markets);
  return (
    <>
      {found.outage && <OutageNote outage={found.outage} />}
      <Picks title={`Markets that match “${query}”`} markets={markets}>
        <EmptyState
          action={
            <Link className="link" href="/trade">
              Clear search
            </Link>
          }
        >
          No markets match “{query}”.
        </EmptyState>
      </Picks>
    </>
  );
}

type Picked = Pick<
  z.input<typeof MarketLine>,
  "id" | "slug" | "title" | "tickSize" | "chance" | "outcomes"
> & {
  icon: string | null;
  /** ISO 8601. */
  closesAt: string;
};

function encodeMarkets(markets: z.output<typeof MarketList>["markets"]): Picked[] {
  return z.encode(MarketList.shape.markets, markets).map((market) => ({
    ...market,
    icon: market.iconUrl === null ? null : toIconPath(market.iconUrl),
    chance: market.outcomes[0].price,
    outcomes: market.outcomes.map(({ name, tokenId, bestAsk }) => ({
      name,
      tokenId,
      ask: bestAsk,
    })),
  }));
}

/** Returns the likeliest market of each event. */
const pickLikeliest = (found: z.output<typeof MarketBrowse>): Picked[] =>
  z
    .encode(MarketBrowse, found)
    .groups.flatMap(({ icon, closesAt, markets }) =>
      markets.slice(0, 1).map((line) => ({ ...line, icon, closesAt })),
    );

interface PicksProps {
  title: string;
  markets: readonly Picked[];
  /** Right of the title. */
  actions?: ReactNode;
  /** Replaces an empty list. */
  children?: ReactNode;
}

/** Markets with the prices that open their ticket. */
function Picks({ title, markets, actions, children }: PicksProps) {
  return (
    <Card title={title} actions={actions} isFlush>
      {markets.length === 0 ? (
        children
      ) : (
        <Rows>
          {markets.map((market) => (
            <li key={market.id} className={ROW}>
              <Title market={market} />
              <OutcomeLinks {...market} isInColumn />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}

const ROW =
  "grid items-center gap-x-4 gap-y-2 px-3 py-2.5 sm:grid-cols-[minmax(0,1fr)_13rem] sm:px-4";

type PositionWire = z.input<typeof Portfolio>["positions"][number];

function Holdings({ positions }: { positions: readonly PositionWire[] }) {
  return (
    <Card
      title="Your positions"
      actions={
        <Link href="/" className="link text-small">
          All positions
        </Link>
      }
      isFlush
    >
      <Rows>
        {positions.map((position) => (
          <li
            key={position.id}
            className="flex items-center justify-between gap-4 px-3 py-2 sm:px-4"
          >
            <span className="flex min-w-0 items-center gap-3">
              {position.iconUrl !== null && (
                <MarketIcon src={toIconPath(position.iconUrl)} size="small" />
              )}
              <span className="min-w-0">
                <Link
                  href={buildTicketHref(position.marketSlug, { token: position.id })}
                  prefetch={false}
                  className="line-clamp-4 font-[550] hover:underline max-lg:py-1"
                >
                  {position.marketTitle}
                </Link>
                <Held position={position} />
              </span>
            </span>
            <span className="flex shrink-0 gap-1.5">
              <TradeLink position={position} side="sell" label="Sell" />
              <TradeLink position={position} side="buy" label="Buy" />
            </span>
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function Held({ position }: { position: PositionWire }) {
  const { value, pnl } = showPosition(position);
  return (
    <span className="num flex flex-wrap gap-x-3 text-small text-text-2">
      <span>
        <Shares shares={position.shares} /> {position.outcome}
      </span>
      <Money usdc={value} />
      <span>
        <DirectionValue usdc={pnl} />
        <span className="sr-only"> P&amp;L before fees</span>
      </span>
    </span>
  );
}

interface TradeLinkProps {
  position: PositionWire;
  side: "sell" | "buy";
  label: string;
}

/** Opens the position's ticket. */
function TradeLink({ position, side, label }: TradeLinkProps) {
  return (
    <ButtonLink
      size="small"
      href={buildTicketHref(position.marketSlug, { token: position.id, side })}
      aria-label={`${label} ${position.outcome}, ${position.marketTitle}`}
    >
      {label}
    </ButtonLink>
  );
}

const Rows = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y divide-border border-t border-border">{children}</ul>
);

function Title({ market }: { market: Picked }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      {market.icon !== null && <MarketIcon src={market.icon} size="small" />}
      <span className="min-w-0">
        <Link
          href={`/markets/${market.slug}`}
          prefetch={false}
          className="line-clamp-3 font-[550] hover:underline max-lg:pt-2"
        >
          {market.title}
        </Link>
        <span className="num block text-small text-text-2 max-lg:pb-2">
          {market.outcomes[0]?.name} <Probability price={market.chance} /> · closes{" "}
          <TimeStamp at={market.closesAt} isRelative={false} />
        </span>
      </span>
    </span>
  );
}
