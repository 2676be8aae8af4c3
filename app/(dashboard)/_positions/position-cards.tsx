import { type PositionFigures, sumPositions } from "@/components/format/sums";
import { DirectionPercent, DirectionValue, Money } from "@/components/format/values";
import { Flash } from "@/components/portfolio/flash";
import { MarketLabel } from "@/components/portfolio/market-label";
import {
  AverageToNow,
  OutcomeBadges,
  PositionActions,
  SharesOf,
  ToWin,
} from "@/app/(dashboard)/_positions/position-parts";
import {
  type PositionsProps,
  UNKNOWN_TICK,
  getFigures,
} from "@/app/(dashboard)/_positions/positions-table";
import { CardList } from "@/components/ui/table";
import type { PositionWire } from "@/lib/browser/use-positions";
import { computeTotals } from "@/lib/domain/position-list";

/** Positions as cards, on a phone. */
export function PositionCards({ label, positions, figures, ticks, claim }: PositionsProps) {
  const totals = sumPositions(positions.map((position) => getFigures(figures, position)));
  return (
    <CardList label={label}>
      {positions.map((position) => (
        <PositionCard
          key={position.id}
          position={position}
          figures={getFigures(figures, position)}
          tick={ticks[position.conditionId] ?? UNKNOWN_TICK}
          claim={claim}
        />
      ))}
      <li className="flex items-start justify-between gap-3 px-3 py-3 font-[550]">
        <span>
          Total value
          <span className="block text-small font-normal text-text-2">
            cost <Money usdc={totals.cost} />
          </span>
        </span>
        <span className="text-right">
          <Money usdc={totals.value} />
          <span className="block text-small">
            <DirectionValue usdc={totals.pnl} percent={computeTotals(positions).pnlPercent} />
          </span>
        </span>
      </li>
    </CardList>
  );
}

interface CardProps {
  position: PositionWire;
  figures: PositionFigures;
  tick: string;
  claim: PositionsProps["claim"];
}

function PositionCard({ position, figures, tick, claim }: CardProps) {
  return (
    <li className="px-3 py-3">
      <div className="flex items-start justify-between gap-3">
        <MarketLabel
          title={position.marketTitle}
          slug={position.marketSlug}
          iconUrl={position.iconUrl}
        >
          <OutcomeBadges position={position} />
        </MarketLabel>
        <span className="shrink-0 text-right">
          <span className="font-[550]">
            <Flash value={position.value}>
              <Money usdc={figures.value} />
            </Flash>
          </span>
          <span className="block text-small">
            <DirectionValue usdc={figures.pnl} />
          </span>
          <span className="block text-small">
            <DirectionPercent percent={position.pnlPercent} />
          </span>
        </span>
      </div>
      <div className="mt-2 flex flex-wrap items-end justify-between gap-2 text-small text-text-2">
        <span>
          <SharesOf position={position} /> · <AverageToNow position={position} tick={tick} />
          <span className="block">
            cost <Money usdc={figures.cost} /> · to win <ToWin position={position} />
          </span>
        </span>
        <span className="ml-auto">
          <PositionActions position={position} claim={claim} />
        </span>
      </div>
    </li>
  );
}
