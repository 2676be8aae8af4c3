import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { ROUNDED } from "@/components/format/rounding-note";
import {
  differsFromRows,
  missesTotal,
  showClosedPosition,
  showClosedTotals,
  subtractExactly,
} from "@/components/format/sums";
import { formatCount, formatSignedMoney } from "@/components/format/numbers";
import { DirectionValue, Masked, Money, Shares } from "@/components/format/values";
import { MarketLine } from "@/components/portfolio/market-line";
import { Badge } from "@/components/ui/badge";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { ClosedPosition, ClosedTotals } from "@/lib/schemas/portfolio";

type ClosedPositionWire = z.input<typeof ClosedPosition>;

interface Props {
  positions: readonly ClosedPositionWire[];
  /** Whether there are other pages, which the total leaves out. */
  isPage: boolean;
}

/** Positions that were sold, won or lost, newest first. */
export function ClosedPositionList({ positions, isPage }: Props) {
  const rows = positions.map((position) => ({ position, figures: showClosedPosition(position) }));
  const head = (
    <tr>
      <HeadCell>Market</HeadCell>
      <HeadCell isNumeric>Shares</HeadCell>
      <HeadCell isNumeric>Bought for</HeadCell>
      <HeadCell isNumeric>Received</HeadCell>
      <HeadCell isNumeric>Fees</HeadCell>
      <HeadCell isNumeric>P&amp;L after fees</HeadCell>
      <HeadCell isNumeric>Closed</HeadCell>
    </tr>
  );
  const total = showClosedTotals(positions);
  const isRounded = differsFromRows(
    ["bought", "received", "fees", "pnl"],
    rows.map(({ figures }) => figures),
    total,
  );
  const count = `${positions.length} ${positions.length === 1 ? "position" : "positions"}`;
  const totalLabel = `Total of ${count}${isPage ? " on this page" : ""}`;
  const foot = (
    <tr className="font-[550]">
      <Cell colSpan={2}>
        {totalLabel}
        {isRounded && <span className="block text-small font-normal text-text-2">{ROUNDED}</span>}
      </Cell>
      <Cell isNumeric>
        <Money usdc={total.bought} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={total.received} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={total.fees} />
      </Cell>
      <Cell isNumeric>
        <DirectionValue usdc={total.pnl} />
      </Cell>
      <Cell>{null}</Cell>
    </tr>
  );
  return (
    <>
      <Table caption="Closed positions" head={head} foot={foot} hasCards>
        {rows.map(({ position, figures }) => (
          <Row key={position.id}>
            <Cell isFilling isRowHeader>
              <MarketLine
                title={position.marketTitle}
                slug={position.marketSlug}
                iconUrl={position.iconUrl}
              >
                <Badges position={position} />
              </MarketLine>
            </Cell>
            <Cell isNumeric>
              <Shares shares={position.shares} />
            </Cell>
            <Cell isNumeric>
              <Money usdc={figures.bought} />
            </Cell>
            <Cell isNumeric>
              <Money usdc={figures.received} />
            </Cell>
            <Cell isNumeric>
              <Money usdc={figures.fees} />
            </Cell>
            <Cell isNumeric>
              <DirectionValue usdc={figures.pnl} />
            </Cell>
            <Cell isNumeric>
              <TimeStamp at={position.closedAt} isRelative={false} />
            </Cell>
          </Row>
        ))}
      </Table>
      <CardList label="Closed positions">
        {rows.map(({ position, figures }) => (
          <li key={position.id} className="px-3 py-2">
            <span className="flex items-start gap-3">
              <span className="min-w-0 flex-1">
                <MarketLine
                  title={position.marketTitle}
                  slug={position.marketSlug}
                  iconUrl={position.iconUrl}
                />
              </span>
              <span className="shrink-0 text-right">
                <span className="block font-[550]">
                  <DirectionValue usdc={figures.pnl} />
                </span>
                <span className="block text-small text-text-2">
                  <TimeStamp at={position.closedAt} isRelative={false} />
                </span>
              </span>
            </span>
            {/* Under the title, beside the icon. */}
            <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-0.5 pl-8 text-small text-text-2">
              <Badges position={position} />
              <span className="ml-auto">
                <CashFlow figures={figures} />
              </span>
            </span>
          </li>
        ))}
        <li className="px-3 py-3">
          <span className="flex justify-between gap-3 font-[550]">
            <span>{totalLabel}</span>
            <DirectionValue usdc={total.pnl} />
          </span>
          <span className="block text-right text-small text-text-2">
            <CashFlow figures={total} />
          </span>
          {isRounded && <span className="block text-small text-text-2">{ROUNDED}</span>}
        </li>
      </CardList>
    </>
  );
}

type Totals = z.input<typeof ClosedTotals>;

/** How all closed positions are part of the account's realized profit, which the page's head shows before fees. */
export function RealizedNote({ totals: { count, profit, fees, realized } }: { totals: Totals }) {
  const afterFees = subtractExactly(profit, fees);
  const rest = subtractExactly(realized, profit);
  const isRounded = missesTotal(profit, [afterFees, fees]) || missesTotal(realized, [profit, rest]);
  return (
    <p className="border-t border-border px-3 py-2 text-small text-text-2 sm:px-4">
      {count === 1 ? "The closed position" : `All ${formatCount(count)} closed positions`}:{" "}
      <Signed usdc={profit} /> before fees, <Signed usdc={afterFees} /> after <Money usdc={fees} />{" "}
      in fees.{" "}
      {rest === 0 ? (
        <>
          Realized is the same <Signed usdc={realized} /> before fees.
        </>
      ) : (
        <>
          Realized is <Signed usdc={realized} /> before fees: it also has <Signed usdc={rest} />{" "}
          from shares sold of positions you still hold.
        </>
      )}
      {isRounded && ` ${ROUNDED}`}
    </p>
  );
}

const Signed = ({ usdc }: { usdc: number }) => <Masked>{formatSignedMoney(usdc)}</Masked>;

/** The cost, the proceeds and the fees of closed positions. Their P&L is after the fees. */
function CashFlow({ figures }: { figures: ReturnType<typeof showClosedPosition> }) {
  return (
    <>
      <Money usdc={figures.bought} /> → <Money usdc={figures.received} />, fees{" "}
      <Money usdc={figures.fees} />
    </>
  );
}

const ENDS = {
  sold: { tone: "neutral", label: "Sold" },
  won: { tone: "up", label: "Won" },
  lost: { tone: "neutral", label: "Lost" },
} as const;

function Badges({ position }: { position: ClosedPositionWire }) {
  const { tone, label } = ENDS[position.end];
  return (
    <>
      <Badge>{position.outcome}</Badge>
      <Badge tone={tone}>{label}</Badge>
    </>
  );
}
