import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { buildPageHref, type PageParams } from "@/app/(dashboard)/markets/[slug]/page-url";
import { Probability } from "@/components/format/values";
import { LineChange, ResolvedBadge, UntradableBadge } from "@/components/markets/market-parts";
import type { MarketLineWire } from "@/components/markets/market-view";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { Badge } from "@/components/ui/badge";
import { IntentLink } from "@/components/ui/intent-link";

interface Props {
  loaded: LoadedMarket;
  params: PageParams;
}

/** The rows that are shown at once. An event can have dozens of markets. */
const SHOWN = 8;

/**
 * The markets of an event with their prices. A name opens that market on this page, a price also
 * fills the ticket.
 */
export function Candidates({ loaded, params }: Props) {
  const { detail, header } = loaded;
  if (header.event.length === 0) return null;
  // The view stays as it is, the ticket's fields belong to one market.
  const view = { range: params.range, tab: params.tab, chart: params.chart };
  const row = (line: MarketLineWire) => (
    <CandidateRow
      key={line.id}
      line={line}
      isCurrent={line.id === detail.id}
      hrefOf={(choice) => buildPageHref(line.slug, view, choice)}
    />
  );
  const isFirst = (line: MarketLineWire, index: number) => index < SHOWN || line.id === detail.id;
  const first = header.event.filter(isFirst);
  const others = header.event.filter((line, index) => !isFirst(line, index));
  return (
    <section aria-labelledby="candidates" className="card min-w-0 overflow-hidden">
      <h2 id="candidates" className="truncate px-3 pt-3 pb-1 text-heading sm:px-4">
        {detail.eventTitle}
      </h2>
      <ul>{first.map(row)}</ul>
      {others.length > 0 && (
        <details className="border-t border-border">
          <summary className="flex h-11 items-center px-3 text-small text-text-2 underline underline-offset-2 sm:px-4 lg:h-9">
            Show {others.length} more
          </summary>
          <ul>{others.map(row)}</ul>
        </details>
      )}
    </section>
  );
}

interface RowProps {
  line: MarketLineWire;
  isCurrent: boolean;
  hrefOf: (choice: PageParams) => string;
}

function CandidateRow({ line, isCurrent, hrefOf }: RowProps) {
  const label = line.label ?? line.title;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_5ch_9ch] items-center gap-x-3 border-t border-border px-3 py-1.5 has-aria-[current]:bg-surface-2 sm:px-4 lg:grid-cols-[minmax(0,1fr)_5rem_5ch_9ch_13.125rem]">
      <IntentLink
        href={hrefOf({})}
        scroll={false}
        aria-current={isCurrent ? "true" : undefined}
        className="truncate py-1 font-[550] hover:underline max-lg:py-3"
      >
        {label}
      </IntentLink>
      <ChanceBar chance={line.chance} />
      <span className="text-right font-[550]">
        <Probability price={line.chance} />
      </span>
      <span className="text-right">
        <LineChange line={line} />
      </span>
      <div className="max-lg:col-span-3">
        {line.status === "open" && (
          <OutcomeLinks
            {...line}
            hrefOf={(tokenId) => hrefOf({ token: tokenId, side: "buy" })}
            isOnPage
          />
        )}
        {line.status === "resolved" && <ResolvedBadge winner={line.winner} />}
        {line.status === "closed" &&
          (line.untradableReason === null ? (
            <Badge tone="warn">Awaiting result</Badge>
          ) : (
            <UntradableBadge reason={line.untradableReason} />
          ))}
      </div>
    </li>
  );
}

function ChanceBar({ chance }: { chance: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="h-1.5 w-full rounded-pill max-lg:hidden"
    >
      <rect width="100" height="6" className="fill-surface-3" />
      <rect width={chance * 100} height="6" className="fill-series-1" />
    </svg>
  );
}
