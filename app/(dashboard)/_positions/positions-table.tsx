import {
  AverageToNow,
  buildPositionHref,
  buildTotalLines,
  ComboNote,
  getDetail,
  isClaiming,
  nameOf,
  OutcomeBadges,
  type PositionListProps,
  ToWin,
} from "@/app/(dashboard)/_positions/position-parts";
import { ClaimForm } from "@/app/(dashboard)/_positions/claim-form";
import { ROUNDED } from "@/components/format/rounding-note";
import { showPosition } from "@/components/format/sums";
import { DirectionValue, Money, Shares } from "@/components/format/values";
import { Flash } from "@/components/portfolio/flash";
import { MarketLine } from "@/components/portfolio/market-line";
import { buildSortLink } from "@/components/portfolio/position-view";
import { Sparkline } from "@/components/charts/sparkline";
import { ButtonLink } from "@/components/ui/button";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { PositionWire } from "@/lib/browser/use-positions";
import { isCombo } from "@/lib/domain/combo";
import type { PositionView } from "@/lib/domain/position-list";

interface Props extends PositionListProps {
  /** The table's accessible name. */
  label: string;
  view: PositionView;
  range: string;
}

/** The line of the last week is not printed. */
function PriceTitle() {
  return (
    <>
      Avg → now<span className="print:hidden"> · 7 d</span>
    </>
  );
}

const COLUMNS = [
  { sort: "shares", title: "Shares" },
  { sort: "price", title: <PriceTitle /> },
  { sort: "value", title: "Value" },
  { sort: "pnl", title: "P&L before fees" },
  { sort: "towin", title: "To win" },
] as const;

/** Positions as a table, one line each. */
export function PositionsTable({ label, view, range, ...list }: Props) {
  const head = (
    <tr>
      <HeadCell sort={buildSortLink(view, "market", range)}>Market</HeadCell>
      {COLUMNS.map(({ sort, title }) => (
        <HeadCell key={sort} isNumeric sort={buildSortLink(view, sort, range)}>
          {title}
        </HeadCell>
      ))}
      <th scope="col" className="w-0">
        <span className="sr-only">Actions</span>
      </th>
    </tr>
  );
  return (
    <Table caption={label} head={head} foot={<Totals {...list} />} hasCards>
      {list.positions.map((position) => (
        <PositionRow key={position.id} position={position} list={list} />
      ))}
    </Table>
  );
}

interface RowProps {
  position: PositionWire;
  list: PositionListProps;
}

function PositionRow({ position, list }: RowProps) {
  const { value, pnl } = showPosition(position);
  const { tick, trail } = getDetail(list.details, position);
  return (
    <Row>
      <Cell isFilling isRowHeader>
        <MarketLine
          title={position.marketTitle}
          slug={position.marketSlug}
          iconUrl={position.iconUrl}
        >
          <OutcomeBadges position={position} />
        </MarketLine>
      </Cell>
      <Cell isNumeric>
        <Shares shares={position.shares} />
      </Cell>
      <Cell isNumeric>
        <span className="flex items-center justify-end gap-2">
          <AverageToNow position={position} tick={tick} />
          {/* As wide as the line, so that the prices of all rows have one edge. */}
          <span className="w-15 shrink-0 print:hidden">
            {trail.length > 1 && !position.redeemable && (
              <Sparkline prices={[...trail, position.currentPrice]} />
            )}
          </span>
        </span>
      </Cell>
      <Cell isNumeric>
        <Flash value={position.value}>
          <Money usdc={value} />
        </Flash>
      </Cell>
      <Cell isNumeric>
        <DirectionValue usdc={pnl} percent={position.pnlPercent} />
      </Cell>
      <Cell isNumeric>
        {/* As wide as the actions, which cover nothing else. */}
        <span className="inline-block min-w-24 print:min-w-0">
          <ToWin position={position} />
        </span>
      </Cell>
      <ActionCell position={position} list={list} />
    </Row>
  );
}

/**
 * The actions of a row. With a mouse they cover the row's end: those of an open position while the row
 * is hovered or focused, those of a resolved one always. On touch they have their own column.
 */
function ActionCell({ position, list }: RowProps) {
  return (
    <td className="relative w-0 bg-inherit p-0">
      <span
        className={`row-actions flex items-center gap-1.5 bg-inherit px-3 ${position.redeemable ? "" : "is-quiet"}`}
      >
        <Actions position={position} list={list} />
      </span>
    </td>
  );
}

/** Links to sell and to buy more, or the button to claim. A combo has neither. */
function Actions({ position, list }: RowProps) {
  const { claim } = list;
  if (isCombo(position.id)) return <ComboNote />;
  if (!position.redeemable) {
    return (
      <>
        <TradeLink position={position} side="sell" label="Sell" />
        <TradeLink position={position} side="buy" label="Buy" />
      </>
    );
  }
  return (
    claim && (
      <ClaimForm position={position} action={claim} isClaiming={isClaiming(list, position)} />
    )
  );
}

function TradeLink(props: { position: PositionWire; side: "sell" | "buy"; label: string }) {
  const { position, side, label } = props;
  return (
    <ButtonLink
      size="small"
      href={buildPositionHref(position, side)}
      aria-label={`${label} ${nameOf(position)}`}
    >
      {label}
    </ButtonLink>
  );
}

/** The total, after a line for each group of folded positions. */
function Totals(list: PositionListProps) {
  const { folds, total } = buildTotalLines(list);
  return (
    <>
      {folds.map(({ label, value, pnl }) => (
        <tr key={label} className="text-text-2">
          <Cell colSpan={3}>{label}</Cell>
          <Cell isNumeric>
            <Money usdc={value} />
          </Cell>
          <Cell isNumeric>
            <DirectionValue usdc={pnl} />
          </Cell>
          <Cell colSpan={2}>{null}</Cell>
        </tr>
      ))}
      <tr className="font-[550]">
        <Cell colSpan={3}>
          {total.label}{" "}
          <span className="ml-2 font-normal text-text-2">
            cost <Money usdc={total.cost} />
          </span>
          {total.isRounded && (
            <span className="block text-small font-normal text-text-2">{ROUNDED}</span>
          )}
        </Cell>
        <Cell isNumeric>
          <Money usdc={total.value} />
        </Cell>
        <Cell isNumeric>
          <DirectionValue usdc={total.pnl} percent={total.percent} />
        </Cell>
        <Cell colSpan={2}>{null}</Cell>
      </tr>
    </>
  );
}
