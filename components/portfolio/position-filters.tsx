import { Search } from "lucide-react";
import { useState } from "react";
import {
  buildPositionQuery,
  buildSortLink,
  isSearching,
} from "@/components/portfolio/position-view";
import { FilterForm, FilterInput } from "@/components/ui/filter-form";
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

/** Finds positions by their market while the user types. On a phone, it opens above the list, and also sorts. */
export function PositionFilters(props: Props) {
  // A cleared search doesn't close it: the field that is typed in would be gone.
  const [isOpen] = useState(isSearching(props.view));
  return (
    <>
      <span className="max-md:hidden">
        <SearchForm {...props} />
      </span>
      <details open={isOpen} className="w-full md:hidden print:hidden">
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
    <FilterForm action="/" label="Positions" fixed={Object.fromEntries(kept)}>
      <FilterInput label="Find a position" name="q" type="search" value={view.text} />
    </FilterForm>
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
