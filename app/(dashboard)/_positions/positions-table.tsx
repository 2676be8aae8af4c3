import { DirectionValue, Money, MoneyRest, Shares } from "@/components/format/values";
import type { ClaimAction } from "@/app/(dashboard)/_positions/claim-form";
import { Flash } from "@/components/portfolio/flash";
import { MarketLabel } from "@/components/portfolio/market-label";
import {
  AverageToNow,
  OutcomeBadges,
  PositionActions,
  ToWin,
} from "@/app/(dashboard)/_positions/position-parts";
import { sortLink } from "@/components/portfolio/position-view";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { PositionWire } from "@/lib/client/use-positions";
import { type PositionView, totalsOf } from "@/lib/domain/position-list";

export interface PositionsProps {
  /** Names the list for those who cannot see where it stands. */
  label: string;
  positions: readonly PositionWire[];
  /** Tick sizes by market, for the decimals of prices. */
  ticks: Readonly<Record<string, string>>;
  view: PositionView;
  range: string;
  claim: ClaimAction;
}

const COLUMNS = [
  { sort: "shares", title: "Shares" },
  { sort: "price", title: "Avg → now" },
  { sort: "cost", title: "Cost" },
  { sort: "value", title: "Value" },
  { sort: "pnl", title: "P&L" },
  { sort: "towin", title: "To win" },
] as const;

/** Ticks of new positions are not known until the next page: the finest common one shows it all. */
export const UNKNOWN_TICK = "0.001";

export function PositionsTable(props: PositionsProps) {
  const { label, positions, ticks, view, range, claim } = props;
  const head = (
    <tr>
      <HeadCell sort={sortLink(view, "market", range)}>Market</HeadCell>
      {COLUMNS.map(({ sort, title }) => (
        <HeadCell key={sort} isNumeric sort={sortLink(view, sort, range)}>
          {title}
        </HeadCell>
      ))}
      <HeadCell isNumeric>
        <span className="sr-only">Actions</span>
      </HeadCell>
    </tr>
  );
  return (
    <Table caption={label} head={head} foot={<Totals positions={positions} />} hasCards>
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
            <MoneyRest whole={position.value} part={position.pnl} />
          </Cell>
          <Cell isNumeric>
            <Flash value={position.value}>
              <Money usdc={position.value} />
            </Flash>
          </Cell>
          <Cell isNumeric>
            <DirectionValue usdc={position.pnl} percent={position.pnlPercent} />
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

function Totals({ positions }: { positions: readonly PositionWire[] }) {
  const totals = totalsOf(positions);
  return (
    <tr className="font-[550]">
      <Cell colSpan={3}>
        Total of {positions.length} {positions.length === 1 ? "position" : "positions"}
      </Cell>
      <Cell isNumeric>
        <MoneyRest whole={totals.value} part={totals.pnl} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={totals.value} />
      </Cell>
      <Cell isNumeric>
        <DirectionValue usdc={totals.pnl} percent={totals.pnlPercent} />
      </Cell>
      <Cell colSpan={2}>{null}</Cell>
    </tr>
  );
}
