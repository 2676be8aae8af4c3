import type { ReactNode } from "react";
import { formatCount } from "@/components/format/numbers";
import { buildClosedHref, buildPositionViewHref } from "@/components/portfolio/position-view";
import { formatWaiting } from "@/components/orders/group-orders";
import { Tabs } from "@/components/ui/tabs";
import type { PositionView } from "@/lib/domain/position-list";

export interface PortfolioTabsProps {
  current: "positions" | "closed";
  /** Counts are null where they are unknown. */
  positions: number | null;
  openOrders: number | null;
  /** How many of the open orders wait for approval. */
  waitingOrders: number;
  closed: number | null;
  view: PositionView;
  range: string;
  /** Shown at the right end. A phone has no room for the last tab beside it. */
  children?: ReactNode;
}

/** The lists of the portfolio as links. Orders and activity have pages of their own. */
export function PortfolioTabs(props: PortfolioTabsProps) {
  const { current, positions, openOrders, waitingOrders, closed, view, range, children } = props;
  return (
    <div className="relative mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <Tabs
        label="Portfolio"
        items={[
          {
            href: buildPositionViewHref(view, range),
            label: <Counted label="Positions" count={positions} />,
            isCurrent: current === "positions",
          },
          {
            href: "/orders",
            label: (
              <>
                <Counted label="Open orders" count={openOrders} />
                {/* A phone's row has no room for it. */}
                <span className="text-text-3 max-md:sr-only">
                  {formatWaiting({ waiting: waitingOrders })}
                </span>
              </>
            ),
            isCurrent: false,
          },
          {
            href: buildClosedHref(range),
            label: <Counted label="Closed" count={closed} />,
            isCurrent: current === "closed",
          },
          { href: "/activity", label: "Activity", isCurrent: false, isWideOnly: true },
        ]}
      />
      <h2 className="sr-only">{current === "positions" ? "Positions" : "Closed positions"}</h2>
      {children}
    </div>
  );
}

function Counted({ label, count }: { label: string; count: number | null }) {
  return (
    <>
      {label}
      {count !== null && <span className="num ml-1.5 text-text-3">{formatCount(count)}</span>}
    </>
  );
}
