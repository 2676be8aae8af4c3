"use client";

import { usePreferences } from "@/components/format/preferences";
import type { FormAction } from "@/components/ui/action-form";
import { PositionCards } from "@/app/(dashboard)/_positions/position-cards";
import { PositionFilters } from "@/components/portfolio/position-filters";
import { buildPositionViewHref } from "@/components/portfolio/position-view";
import {
  getFigures,
  type PositionsProps,
  PositionsTable,
} from "@/app/(dashboard)/_positions/positions-table";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Initial } from "@/lib/browser/use-live";
import { type PortfolioWire, usePositions } from "@/lib/browser/use-positions";
import { arrangePositions, type PositionView } from "@/lib/domain/position-list";
import { showPositions, sumPositions } from "@/components/format/sums";
import { Money } from "@/components/format/values";

interface Props {
  initial: Initial<PortfolioWire>;
  ticks: Readonly<Record<string, string>>;
  view: PositionView;
  range: string;
  claim: FormAction;
}

/** The live list of positions, filtered and sorted by the URL. */
export function PositionsPanel({ initial, ticks, view, range, claim }: Props) {
  const { liveUpdates } = usePreferences();
  const { data } = usePositions(initial, liveUpdates);
  const { shown, tiny } = arrangePositions(data.positions, view);
  const figures = showPositions(data);
  const rest = { figures, ticks, view, range, claim };
  return (
    <Card title="Positions" isFlush id="positions">
      {data.positions.length === 0 ? (
        <NoPositions hasCash={data.balanceUsdc > 0} />
      ) : (
        <>
          <PositionFilters positions={data.positions} view={view} range={range} />
          {shown.length > 0 && (
            <>
              <PositionsTable label="Positions" positions={shown} {...rest} />
              <PositionCards label="Positions" positions={shown} {...rest} />
            </>
          )}
          {tiny.length > 0 && <TinyPositions label="Tiny positions" positions={tiny} {...rest} />}
          {shown.length + tiny.length === 0 && <NothingMatches range={range} view={view} />}
        </>
      )}
    </Card>
  );
}

/** Positions worth less than a cent, collapsed. */
function TinyPositions(props: PositionsProps) {
  const { positions } = props;
  return (
    <details className="border-t border-border">
      <summary className="flex min-h-11 items-center px-3 text-text-2 hover:text-text">
        <span className="underline decoration-dotted underline-offset-4">
          {positions.length} tiny {positions.length === 1 ? "position" : "positions"}
        </span>
        <span className="ml-2">
          worth{" "}
          <Money
            usdc={sumPositions(positions.map((one) => getFigures(props.figures, one))).value}
          />
        </span>
      </summary>
      <PositionsTable {...props} />
      <PositionCards {...props} />
    </details>
  );
}

function NoPositions({ hasCash }: { hasCash: boolean }) {
  return (
    <EmptyState
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {!hasCash && (
            <ButtonLink href="/wallet" tone="primary">
              Add funds
            </ButtonLink>
          )}
          <ButtonLink href="/markets" tone={hasCash ? "primary" : "secondary"}>
            Browse markets
          </ButtonLink>
        </span>
      }
    >
      No positions yet. Prices are probabilities: a share at 62¢ means a 62% chance and pays $1.00
      if it wins.
    </EmptyState>
  );
}

function NothingMatches({ view, range }: { view: PositionView; range: string }) {
  const all = buildPositionViewHref({ ...view, show: "all", text: "" }, range);
  return (
    <EmptyState
      action={
        <ButtonLink href={all} scroll={false}>
          Clear filters
        </ButtonLink>
      }
    >
      No positions match these filters.
    </EmptyState>
  );
}
