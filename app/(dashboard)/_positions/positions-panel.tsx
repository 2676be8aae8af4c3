"use client";

import { type ReactNode, useMemo } from "react";
import { LostPositions, nameLost, Wins } from "@/app/(dashboard)/_positions/claim-all";
import type { PositionDetail } from "@/app/(dashboard)/_positions/position-parts";
import { PositionRows } from "@/app/(dashboard)/_positions/position-rows";
import { PositionsTable } from "@/app/(dashboard)/_positions/positions-table";
import { usePreferences } from "@/components/format/preferences";
import { showTotals } from "@/components/format/sums";
import { Money } from "@/components/format/values";
import { PortfolioTabs } from "@/components/portfolio/portfolio-tabs";
import { PositionFilters } from "@/components/portfolio/position-filters";
import { buildPositionViewHref } from "@/components/portfolio/position-view";
import type { FormAction } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Initial } from "@/lib/browser/use-live";
import { type PortfolioWire, usePositions } from "@/lib/browser/use-positions";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";
import {
  arrangePositions,
  isClaimable,
  isClosable,
  type PositionView,
} from "@/lib/domain/position-list";

interface Props {
  initial: Initial<PortfolioWire>;
  summary: Initial<AccountSummaryWire>;
  /** Null in live mode. */
  closed: number | null;
  /** In the order of the initial positions. Without their ids, which are long, the page stays small. */
  details: readonly PositionDetail[];
  view: PositionView;
  range: string;
  /** Both are null if only the venue's own page can claim. */
  claim: FormAction | null;
  claimAll: FormAction | null;
  /** The markets whose live claim is in progress, by condition id. */
  claiming: readonly string[];
  /** Shown instead of the list while there are no positions. */
  empty: ReactNode;
}

/** More rows would make a slow page. */
const PAGE_ROWS = 50;

/** A shorter list needs no search. */
const SEARCHED_FROM = 9;

/** The live list of positions, filtered and sorted by the URL. */
export function PositionsPanel(props: Props) {
  const { initial, summary, closed, view, range, claim, claimAll, claiming, empty } = props;
  const { liveUpdates } = usePreferences();
  const { data } = usePositions(initial, liveUpdates);
  const { openOrders, waitingOrders } = useSummaryFigures(summary);
  const { positions } = data;
  const { shown, tiny, lost } = arrangePositions(positions, view);
  const totaled = [...shown, ...tiny, ...lost];
  const details = useMemo(() => mapDetails(initial.data, props.details), [initial, props.details]);
  const list = { details, claim, claiming };
  const lines = { ...list, view, range };
  const pages = Math.max(1, Math.ceil(shown.length / PAGE_ROWS));
  const page = Math.min(view.page, pages);
  const rows = {
    positions: shown.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS),
    totalOf: totaled,
    totals: showTotals(totaled),
    folds: [
      { label: `${nameTiny(tiny)}, listed below`, positions: tiny },
      { label: `${nameLost(lost)}, listed below`, positions: lost },
    ].filter((fold) => fold.positions.length > 0),
  };
  const tinyTotals = showTotals(tiny);
  return (
    <>
      <Wins
        positions={positions.filter(isClaimable)}
        lost={positions.filter(isClosable)}
        claim={claim}
        claimAll={claimAll}
        claiming={claiming}
      />
      <PortfolioTabs
        current="positions"
        {...{ positions: positions.length, openOrders, waitingOrders, closed, view, range }}
      >
        {(positions.length >= SEARCHED_FROM || view.text !== "") && (
          <PositionFilters view={view} range={range} />
        )}
      </PortfolioTabs>
      <Card isFlush>
        {positions.length === 0 && empty}
        {shown.length > 0 && (
          <>
            <PositionsTable label="Positions" {...rows} {...lines} />
            <PositionRows label="Positions" {...rows} {...list} />
            {pages > 1 && <Pages page={page} pages={pages} view={view} range={range} />}
          </>
        )}
        {tiny.length > 0 && (
          <details data-printed="whole" className="border-t border-border">
            <summary className="flex min-h-11 items-center px-3 text-text-2 hover:text-text">
              <span className="underline decoration-dotted underline-offset-4">
                {nameTiny(tiny)}
              </span>
              <span className="ml-2">
                worth <Money usdc={tinyTotals.value} />
              </span>
            </summary>
            <PositionsTable
              label="Tiny positions"
              positions={tiny}
              totals={tinyTotals}
              {...lines}
            />
            <PositionRows label="Tiny positions" positions={tiny} totals={tinyTotals} {...list} />
          </details>
        )}
        <LostPositions
          positions={lost}
          claim={claim}
          claiming={claiming}
          claimAll={claimAll}
          showsLoss={shown.length === 0}
        />
        {positions.length > 0 && shown.length + tiny.length + lost.length === 0 && (
          <EmptyState
            action={
              <ButtonLink
                href={buildPositionViewHref({ ...view, text: "", page: 1 }, range)}
                scroll={false}
              >
                Clear search
              </ButtonLink>
            }
          >
            No positions match this search.
          </EmptyState>
        )}
      </Card>
    </>
  );
}

const nameTiny = ({ length }: PortfolioWire["positions"]) =>
  `${length} tiny ${length === 1 ? "position" : "positions"}`;

const mapDetails = ({ positions }: PortfolioWire, details: readonly PositionDetail[]) =>
  new Map(
    positions.flatMap(({ id }, index): [string, PositionDetail][] => {
      const detail = details[index];
      return detail ? [[id, detail]] : [];
    }),
  );

interface PagesProps {
  page: number;
  pages: number;
  view: PositionView;
  range: string;
}

function Pages({ page, pages, view, range }: PagesProps) {
  const hrefOf = (to: number) => buildPositionViewHref({ ...view, page: to }, range);
  return (
    <nav
      aria-label="Pages of positions"
      className="flex flex-wrap items-center justify-end gap-2 border-t border-border p-3"
    >
      <span className="mr-auto text-text-2">
        Page {page} of {pages}
      </span>
      {page > 1 && <ButtonLink href={hrefOf(page - 1)}>Previous</ButtonLink>}
      {page < pages && <ButtonLink href={hrefOf(page + 1)}>Next</ButtonLink>}
    </nav>
  );
}
