import { type PositionFigures, sumPositions } from "@/components/format/sums";
import { DirectionValue, Money, Shares } from "@/components/format/values";
import type { FormAction } from "@/components/ui/action-form";
import { Flash } from "@/components/portfolio/flash";
import { MarketLabel } from "@/components/portfolio/market-label";
import {
  AverageToNow,
  OutcomeBadges,
  PositionActions,
  ToWin,
} from "@/app/(dashboard)/_positions/position-parts";
import { buildSortLink } from "@/components/portfolio/position-view";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { PositionWire } from "@/lib/browser/use-positions";
import { type PositionView, computeTotals } from "@/lib/domain/position-list";

export interface PositionsProps {
  /** The list's accessible name. */
  label: string;
  positions: readonly PositionWire[];
  /** The shown figures by position id. */
  figures: ReadonlyMap<string, PositionFigures>;
  /** Tick sizes by market id, for the decimals of prices. */
  ticks: Readonly<Record<string, string>>;
  view: PositionView;
  range: string;
  claim: FormAction;
}

const COLUMNS = [
  { sort: "shares", title: "Shares" },
  { sort: "price", title: "Avg → now" },
  { sort: "cost", title: "Cost" },
  { sort: "value", title: "Value" },
  { sort: "pnl", title: "P&L before fees" },
  { sort: "towin", title: "To win" },
] as const;

/** The tick size of a new position until the next render: the finest common one. */
export const UNKNOWN_TICK = "0.001";

export function PositionsTable(props: PositionsProps) {
  const { label, positions, figures, ticks, view, range, claim } = props;
  const head = (
    <tr>
      <HeadCell sort={buildSortLink(view, "market", range)}>Market</HeadCell>
      {COLUMNS.map(({ sort, title }) => (
        <HeadCell key={sort} isNumeric sort={buildSortLink(view, sort, range)}>
          {title}
        </HeadCell>
      ))}
      <HeadCell isNumeric>
        <span className="sr-only">Actions</span>
      </HeadCell>
    </tr>
  );
  return (
    <Table
      caption={label}
      head={head}
      foot={<Totals positions={positions} figures={figures} />}
      hasCards
    >
      {positions.map((position) => (
        <Row key={position.id}>
          <Cell>
            <span className="block max-w-[340px] min-w-[200px]">
              <MarketLabel
                title={position.marketTitle}
                slug={position.marketSlug}
                iconUrl={position.iconUrl}
              >
                <OutcomeBadges position={position} />
              </MarketLabel>
            </span>
          </Cell>
          <Cell isNumeric>
            <Shares shares={position.shares} />
          </Cell>
          <Cell isNumeric>
            <AverageToNow position={position} tick={ticks[position.conditionId] ?? UNKNOWN_TICK} />
          </Cell>
          <Cell isNumeric>
            <Money usdc={getFigures(figures, position).cost} />
          </Cell>
          <Cell isNumeric>
            <Flash value={position.value}>
              <Money usdc={getFigures(figures, position).value} />
            </Flash>
          </Cell>
          <Cell isNumeric>
            <DirectionValue
              usdc={getFigures(figures, position).pnl}
              percent={position.pnlPercent}
            />
          </Cell>
          <Cell isNumeric>
            <ToWin position={position} />
          </Cell>
          <Cell isNumeric isPinned>
            <PositionActions position={position} claim={claim} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Returns the figures of a position; zeros for a new one until the next figures arrive. */
export function getFigures(
  figures: PositionsProps["figures"],
  { id }: Pick<PositionWire, "id">,
): PositionFigures {
  return figures.get(id) ?? { cost: 0, value: 0, pnl: 0 };
}

function Totals({ positions, figures }: Pick<PositionsProps, "positions" | "figures">) {
  const totals = sumPositions(positions.map((position) => getFigures(figures, position)));
  return (
    <tr className="font-[550]">
      <Cell colSpan={3}>
        Total of {positions.length} {positions.length === 1 ? "position" : "positions"}
      </Cell>
      <Cell isNumeric>
        <Money usdc={totals.cost} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={totals.value} />
      </Cell>
      <Cell isNumeric>
        <DirectionValue usdc={totals.pnl} percent={computeTotals(positions).pnlPercent} />
      </Cell>
      <Cell colSpan={2}>{null}</Cell>
    </tr>
  );
}
