import { buildPositionViewHref } from "@/components/portfolio/position-view";
import { Button } from "@/components/ui/button";
import { Tabs } from "@/components/ui/tabs";
import type { PositionWire } from "@/lib/browser/use-positions";
import { POSITION_SHOWS, POSITION_SORTS, type PositionView } from "@/lib/domain/position-list";

const SHOW_LABELS = { all: "All", open: "Open", redeemable: "Resolved" } as const;
const SORT_LABELS = {
  market: "Market",
  shares: "Shares",
  price: "Price",
  cost: "Cost",
  value: "Value",
  pnl: "P&L",
  towin: "To win",
} as const;

interface Props {
  positions: readonly PositionWire[];
  view: PositionView;
  range: string;
}

/** The filter of the positions and, on a phone without column heads, their order. */
export function PositionFilters({ positions, view, range }: Props) {
  const redeemable = positions.filter((position) => position.redeemable).length;
  const counts = { all: positions.length, open: positions.length - redeemable, redeemable };
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 px-3 pb-2 sm:px-4">
      <Tabs
        label="Show positions"
        items={POSITION_SHOWS.map((show) => ({
          href: buildPositionViewHref({ ...view, show }, range),
          label: (
            <>
              {SHOW_LABELS[show]} <span className="num ml-1.5 text-text-3">{counts[show]}</span>
            </>
          ),
          isCurrent: show === view.show,
        }))}
      />
      <form action="/" className="flex w-full min-w-0 items-end gap-2 md:w-auto">
        {range !== "1d" && <input type="hidden" name="range" value={range} />}
        {view.show !== "all" && <input type="hidden" name="show" value={view.show} />}
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
        <Button type="submit">Apply</Button>
      </form>
    </div>
  );
}
