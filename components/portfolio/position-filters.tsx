import { Search } from "lucide-react";
import { isSearching } from "@/components/portfolio/position-view";
import { Button } from "@/components/ui/button";
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
        <FilterForm {...props} />
      </span>
      <details open={isSearching(view)} className="w-full md:hidden print:hidden">
        <summary className="absolute top-1 right-0 flex size-11 items-center justify-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text">
          <Search aria-hidden="true" className="size-5" />
          <span className="sr-only">Find or sort positions</span>
        </summary>
        <FilterForm {...props} />
      </details>
    </>
  );
}

function FilterForm({ view, range }: Props) {
  return (
    <form
      action="/"
      role="search"
      aria-label="Positions"
      className="flex w-full min-w-0 items-end gap-2 md:w-auto"
    >
      {range !== "1d" && <input type="hidden" name="range" value={range} />}
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
      <label className="w-24 shrink-0 md:hidden">
        <span className="sr-only">Sort by</span>
        <select key={view.sort} name="sort" defaultValue={view.sort} className="control">
          {POSITION_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORT_LABELS[sort]}
            </option>
          ))}
        </select>
      </label>
      <noscript>
        <Button type="submit">Apply</Button>
      </noscript>
    </form>
  );
}
