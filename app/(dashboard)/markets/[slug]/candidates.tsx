import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { buildPageHref, type PageParams } from "@/app/(dashboard)/markets/[slug]/page-url";
import type { MarketLineWire } from "@/components/markets/market-view";
import { OutcomeRow } from "@/components/markets/outcome-row";

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
export async function Candidates({ loaded, params }: Props) {
  const { detail, header } = loaded;
  const { length } = header.event;
  if (length === 0) return null;
  const positions = await showPositions(loaded.session.principal);
  // The view stays as it is, the ticket's fields belong to one market.
  const view = { range: params.range, tab: params.tab, chart: params.chart };
  const row = (line: MarketLineWire) => (
    <OutcomeRow
      key={line.id}
      line={line}
      positions={positions}
      isCurrent={line.id === detail.id}
      isOnPage
      hrefOf={(choice) => buildPageHref(line.slug, view, choice)}
    />
  );
  // A link to a single further row would be as high as the row.
  const shown = length === SHOWN + 1 ? length : SHOWN;
  const isFirst = ({ id }: MarketLineWire, index: number) =>
    index < shown ||
    id === detail.id ||
    positions?.some(({ conditionId }) => conditionId === id) === true;
  const first = header.event.filter(isFirst);
  const others = header.event.filter((line, index) => !isFirst(line, index));
  // Without the book and the ticket beside it, a row would be too wide to follow.
  const columns = detail.status === "open" ? "" : "xl:grid xl:grid-cols-2";
  return (
    <section aria-labelledby="candidates" className="card min-w-0 overflow-hidden">
      <h2 id="candidates" className="px-3 pt-2.5 pb-1.5 font-[550] sm:px-4">
        Outcomes <span className="font-normal text-text-2">{length}</span>
      </h2>
      <ul className={columns}>{first.map(row)}</ul>
      {others.length > 0 && (
        <details data-printed="whole" className="border-t border-border">
          <summary className="flex h-11 items-center px-3 print:hidden text-small text-text-2 underline underline-offset-2 sm:px-4 lg:h-9">
            Show {others.length} more
          </summary>
          <ul className={columns}>{others.map(row)}</ul>
        </details>
      )}
    </section>
  );
}
