import { Fragment } from "react";
import {
  Amount,
  LineSentence,
  showLine,
  type ShownTotals,
  showTotals,
  SignedAmount,
  type StatementLineWire,
  type StatementStyle,
} from "@/components/activity/line-parts";
import { formatCount, formatSignedMoney } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { formatMonth } from "@/components/format/times";
import { Masked } from "@/components/format/values";
import { MarketLabel } from "@/components/portfolio/market-label";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

/** A month with its totals and the lines of it that are on the page. */
export interface StatementMonth {
  totals: ShownTotals & { month: string };
  lines: readonly StatementLineWire[];
}

interface Props {
  months: readonly StatementMonth[];
  style: StatementStyle;
  /** The name of the times' zone: "Berlin time". */
  zoneName: string;
}

export function StatementTable({ months, style: chosen, zoneName }: Props) {
  const style = { ...chosen, hasRounding: chosen.hasRounding && hasRoundedLine(months) };
  const head = (
    <tr>
      <HeadCell>Time ({zoneName})</HeadCell>
      <HeadCell>Activity</HeadCell>
      <HeadCell>Market</HeadCell>
      {style.isExact && <HeadCell isNumeric>Before fees</HeadCell>}
      <HeadCell isNumeric>Fee</HeadCell>
      <HeadCell isNumeric>Amount</HeadCell>
      {style.hasRounding && <HeadCell isNumeric>Rounding</HeadCell>}
      <HeadCell isNumeric>Balance</HeadCell>
    </tr>
  );
  return (
    <div className={style.isExact ? "print:text-[7pt]" : ""}>
      <Table caption="Activity" head={head} hasCards>
        {months.map(({ totals, lines }) => (
          <Fragment key={totals.month}>
            <MonthRow totals={totals} style={style} />
            {lines.map((line) => (
              <LineRow key={line.id} line={line} style={style} />
            ))}
          </Fragment>
        ))}
      </Table>
    </div>
  );
}

/** Whether a line or a month has a rounding. Otherwise the column would be empty. */
export const hasRoundedLine = (months: readonly StatementMonth[]) =>
  months.some(
    ({ totals, lines }) =>
      showTotals(totals, false).rounding !== 0 ||
      lines.some((line) => showLine(line, false).rounding !== 0),
  );

interface MonthProps {
  totals: StatementMonth["totals"];
  style: StatementStyle;
}

/** A month's totals, in the columns of its lines. */
function MonthRow({ totals, style }: MonthProps) {
  const { opening, closing, received, paid, beforeFees, fees, change, rounding } = showTotals(
    totals,
    style.isExact,
  );
  return (
    <tr className="border-t border-border bg-surface-2 align-baseline">
      <th scope="rowgroup" colSpan={3} className="px-3 py-2.5 text-left font-normal">
        <span className="mr-3 font-[550]">{formatMonth(totals.month)}</span>
        <span className="text-small text-text-2">
          {opening !== null && (
            <>
              Opening <Amount usdc={opening} isExact={style.isExact} /> ·{" "}
            </>
          )}
          in <Amount usdc={received} isExact={style.isExact} /> · out{" "}
          <Amount usdc={paid} isExact={style.isExact} /> · {formatCount(totals.lines)}{" "}
          {totals.lines === 1 ? "line" : "lines"}
        </span>
      </th>
      {beforeFees !== null && (
        <td className={TOTAL}>
          <SignedAmount usdc={beforeFees} isExact={style.isExact} />
        </td>
      )}
      <td className={TOTAL}>
        <Amount usdc={fees} isExact={style.isExact} />
      </td>
      <td className={TOTAL}>
        <SignedAmount usdc={change} isExact={style.isExact} />
      </td>
      {style.hasRounding && (
        <td className="num px-3 py-2.5 text-right whitespace-nowrap">
          <Rounding usdc={rounding} />
        </td>
      )}
      <td className={TOTAL}>
        {closing === null ? "" : <Amount usdc={closing} isExact={style.isExact} />}
      </td>
    </tr>
  );
}

const TOTAL = "num px-3 py-2.5 text-right font-[550] whitespace-nowrap";

function LineRow({ line, style }: { line: StatementLineWire; style: StatementStyle }) {
  const { beforeFees, fee, amount, rounding, balance } = showLine(line, style.isExact);
  const { market } = line;
  return (
    <Row>
      <Cell>
        <TimeStamp at={line.createdAt} isRelative={false} />
      </Cell>
      <Cell isRowHeader>
        <LineSentence line={line} />
      </Cell>
      <Cell>
        {market && <MarketLabel title={market.title} slug={market.slug} iconUrl={market.iconUrl} />}
      </Cell>
      {beforeFees !== null && (
        <Cell isNumeric>
          <SignedAmount usdc={beforeFees} isExact={style.isExact} />
        </Cell>
      )}
      <Cell isNumeric>
        {line.feeUsdc === 0 ? (
          <span className="text-text-3">—</span>
        ) : (
          <Amount usdc={fee} isExact={style.isExact} />
        )}
      </Cell>
      <Cell isNumeric>
        <SignedAmount usdc={amount} isExact={style.isExact} />
      </Cell>
      {style.hasRounding && (
        <Cell isNumeric>
          <Rounding usdc={rounding} />
        </Cell>
      )}
      <Cell isNumeric>
        <Amount usdc={balance} isExact={style.isExact} />
      </Cell>
    </Row>
  );
}

function Rounding({ usdc }: { usdc: number }) {
  if (usdc === 0) return <span className="text-text-3">—</span>;
  return (
    <span className="text-text-3">
      <Masked>{formatSignedMoney(usdc)}</Masked>
    </span>
  );
}

/** The statement on a phone. */
export function StatementCards({ months, style }: Omit<Props, "zoneName">) {
  return (
    <div className="md:hidden print:hidden">
      {months.map(({ totals, lines }) => (
        <section key={totals.month} aria-label={formatMonth(totals.month)}>
          <MonthHead totals={totals} style={style} />
          <ul className="divide-y divide-border">
            {lines.map((line) => (
              <LineItem key={line.id} line={line} style={style} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function MonthHead({ totals, style }: MonthProps) {
  const { opening, closing, received, paid, fees, rounding } = showTotals(totals, style.isExact);
  return (
    <header className="border-y border-border bg-surface-2 px-3 py-2">
      <h2 className="flex justify-between gap-3 font-[550]">
        {formatMonth(totals.month)}
        {closing !== null && <Amount usdc={closing} isExact={style.isExact} />}
      </h2>
      <p className="text-small text-text-2">
        {opening !== null && (
          <>
            Opening <Amount usdc={opening} isExact={style.isExact} /> ·{" "}
          </>
        )}
        in <Amount usdc={received} isExact={style.isExact} /> · out{" "}
        <Amount usdc={paid} isExact={style.isExact} /> · fees{" "}
        <Amount usdc={fees} isExact={style.isExact} />
        {rounding !== 0 && (
          <>
            {" "}
            · rounding <Masked>{formatSignedMoney(rounding)}</Masked>
          </>
        )}
      </p>
    </header>
  );
}

function LineItem({ line, style }: { line: StatementLineWire; style: StatementStyle }) {
  const { amount, rounding, balance } = showLine(line, style.isExact);
  return (
    <li className="flex items-start justify-between gap-3 px-3 py-2.5">
      <span className="min-w-0">
        <LineSentence line={line} />
        {line.market && (
          // Titles that differ only in their last words, such as a date, stay apart.
          <span className="line-clamp-3 text-small text-text-2">{line.market.title}</span>
        )}
        <span className="block text-small text-text-3">
          <TimeStamp at={line.createdAt} isRelative={false} />
        </span>
      </span>
      <span className="shrink-0 text-right">
        <SignedAmount usdc={amount} isExact={style.isExact} />
        {style.hasRounding && rounding !== 0 && (
          <span className="block text-small text-text-3">
            rounding <Masked>{formatSignedMoney(rounding)}</Masked>
          </span>
        )}
        <span className="block text-small text-text-2">
          <Amount usdc={balance} isExact={style.isExact} />
        </span>
      </span>
    </li>
  );
}
