import { Search } from "lucide-react";
import {
  buildPositionQuery,
  buildSortLink,
  isSearching,
} from "@/components/portfolio/position-view";
import { Button } from "@/components/ui/button";
import { PillLink } from "@/components/ui/pill-link";
import { POSITION_SORTS, type PositionView } from "@/lib/domain/position-list";

const SORT_LABELS = {
  market: "Market",
  shares: "Shares",
  price: "Price",
  value: "Value",
  pnl: "P&L",
  towin: "To win",
} as const;

interface Props {
  view: PositionView;
  range: string;
}

/** Finds a position by its market. On a phone, it opens above the list, and also sorts. */
export function PositionFilters(props: Props) {
  const { view } = props;
  return (
    <>
      <span className="max-md:hidden">
        <SearchForm {...props} />
      </span>
      <details open={isSearching(view)} className="w-full md:hidden print:hidden">
        <summary className="absolute top-1 right-0 flex size-11 items-center justify-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text">
          <Search aria-hidden="true" className="size-5" />
          <span className="sr-only">Find or sort positions</span>
        </summary>
        <SearchForm {...props} />
        <SortLinks {...props} />
      </details>
    </>
  );
}

function SearchForm({ view, range }: Props) {
  const kept = buildPositionQuery({ ...view, text: "", page: 1 }, range);
  return (
    <form
      action="/"
      role="search"
      aria-label="Positions"
      className="flex w-full min-w-0 items-end gap-2 md:w-auto"
    >
      {[...kept].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className="min-w-0 flex-1 md:w-56">
        <span className="sr-only">Find a position</span>
        <input
          key={view.text}
          name="q"
          type="search"
          defaultValue={view.text}
          placeholder="Find a position"
          className="control"
        />
      </label>
      <noscript>
        <Button type="submit">Apply</Button>
      </noscript>
    </form>
  );
}

/** The columns of the wide table. A second press turns the order around. */
function SortLinks({ view, range }: Props) {
  return (
    <nav aria-label="Sort positions" className="scroll-cue -mx-1 mt-1 flex overflow-x-auto px-1">
      {POSITION_SORTS.map((sort) => {
        const { href, direction } = buildSortLink(view, sort, range);
        return (
          <PillLink key={sort} href={href} isCurrent={direction !== "none"}>
            {SORT_LABELS[sort]}
            {direction !== "none" && (
              <>
                <span aria-hidden="true">{direction === "descending" ? "▾" : "▴"}</span>
                <span className="sr-only">{direction}</span>
              </>
            )}
          </PillLink>
        );
      })}
    </nav>
  );
}
