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

/** The rows that are shown at once, so that the chart below stays on the first screen. */
const SHOWN = 4;

/**
 * The markets of an event with their prices. A name opens that market on this page, a price also
 * fills the ticket.
 */
export function Candidates({ loaded, params }: Props) {
  const { detail, header } = loaded;
  const { length } = header.event;
  if (length === 0) return null;
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
  // A link to a single further row would be as high as the row.
  const shown = length === SHOWN + 1 ? length : SHOWN;
  const isFirst = (line: MarketLineWire, index: number) => index < shown || line.id === detail.id;
  const first = header.event.filter(isFirst);
  const others = header.event.filter((line, index) => !isFirst(line, index));
  return (
    <section aria-labelledby="candidates" className="card min-w-0 overflow-hidden">
      <h2 id="candidates" className="px-3 pt-2.5 pb-1.5 font-[550] sm:px-4">
        Outcomes <span className="font-normal text-text-2">{length}</span>
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
    <li className="grid grid-cols-[minmax(0,1fr)_5ch_10.5rem] items-center gap-x-2 border-t border-border px-3 py-1 has-aria-[current]:bg-surface-2 sm:grid-cols-[minmax(0,1fr)_5ch_9ch_13.125rem] sm:gap-x-3 sm:px-4 lg:grid-cols-[minmax(0,1fr)_5rem_5ch_9ch_13.125rem] forced-colors:has-aria-[current]:outline-2 forced-colors:has-aria-[current]:-outline-offset-2">
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
      <span className="text-right max-sm:hidden">
        <LineChange line={line} />
      </span>
      <div>
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
