import { Fragment } from "react";
import {
  Amount,
  LineSentence,
  showLine,
  type ShownTotals,
  showTotals,
  SignedAmount,
  type StatementLineWire,
} from "@/components/activity/line-parts";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { formatMonth } from "@/components/format/times";
import { MarketLabel } from "@/components/portfolio/market-label";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

/** A month with its totals and the lines of it that are on the page. */
export interface StatementMonth {
  totals: ShownTotals & { month: string };
  lines: readonly StatementLineWire[];
}

interface Props {
  months: readonly StatementMonth[];
  /** Whether amounts have all six decimals. */
  isExact: boolean;
  /** The name of the times' zone: "Berlin time". */
  zoneName: string;
}

export function StatementTable({ months, isExact, zoneName }: Props) {
  const head = (
    <tr>
      <HeadCell>Time ({zoneName})</HeadCell>
      <HeadCell>Activity</HeadCell>
      <HeadCell>Market</HeadCell>
      <HeadCell isNumeric>Before fees</HeadCell>
      <HeadCell isNumeric>Fee</HeadCell>
      <HeadCell isNumeric>Amount</HeadCell>
      <HeadCell isNumeric>Balance</HeadCell>
    </tr>
  );
  return (
    <Table caption="Activity" head={head} hasCards isPrintable>
      {months.map(({ totals, lines }) => (
        <Fragment key={totals.month}>
          <MonthRow totals={totals} isExact={isExact} />
          {lines.map((line) => (
            <LineRow key={line.id} line={line} isExact={isExact} />
          ))}
        </Fragment>
      ))}
    </Table>
  );
}

interface MonthProps {
  totals: StatementMonth["totals"];
  isExact: boolean;
}

/** A month's totals, in the columns of its lines. */
function MonthRow({ totals, isExact }: MonthProps) {
  const { opening, closing, received, paid, beforeFees, fees, change } = showTotals(
    totals,
    isExact,
  );
  return (
    <tr className="border-t border-border bg-surface-2 align-baseline">
      <th scope="rowgroup" colSpan={3} className="px-3 py-2.5 text-left font-normal">
        <span className="mr-3 font-[550]">{formatMonth(totals.month)}</span>
        <span className="text-small text-text-2">
          {opening !== null && (
            <>
              Opening <Amount usdc={opening} isExact={isExact} /> ·{" "}
            </>
          )}
          in <Amount usdc={received} isExact={isExact} /> · out{" "}
          <Amount usdc={paid} isExact={isExact} /> · {formatCount(totals.lines)}{" "}
          {totals.lines === 1 ? "line" : "lines"}
        </span>
      </th>
      <td className={TOTAL}>
        <SignedAmount usdc={beforeFees} isExact={isExact} />
      </td>
      <td className={TOTAL}>
        <Amount usdc={fees} isExact={isExact} />
      </td>
      <td className={TOTAL}>
        <SignedAmount usdc={change} isExact={isExact} />
      </td>
      <td className={TOTAL}>
        {closing === null ? "" : <Amount usdc={closing} isExact={isExact} />}
      </td>
    </tr>
  );
}

const TOTAL = "num px-3 py-2.5 text-right font-[550] whitespace-nowrap";

function LineRow({ line, isExact }: { line: StatementLineWire; isExact: boolean }) {
  const { beforeFees, fee, amount, balance } = showLine(line, isExact);
  const { market } = line;
  return (
    <Row>
      <Cell>
        <TimeStamp at={line.createdAt} isRelative={false} />
      </Cell>
      <Cell>
        <span className="whitespace-nowrap print:whitespace-normal">
          <LineSentence line={line} />
        </span>
      </Cell>
      <Cell>
        {market && <MarketLabel title={market.title} slug={market.slug} iconUrl={market.iconUrl} />}
      </Cell>
      <Cell isNumeric>
        <SignedAmount usdc={beforeFees} isExact={isExact} />
      </Cell>
      <Cell isNumeric>
        {line.feeUsdc === 0 ? (
          <span className="text-text-3">—</span>
        ) : (
          <Amount usdc={fee} isExact={isExact} />
        )}
      </Cell>
      <Cell isNumeric>
        <SignedAmount usdc={amount} isExact={isExact} />
      </Cell>
      <Cell isNumeric>
        <Amount usdc={balance} isExact={isExact} />
      </Cell>
    </Row>
  );
}

/** The statement on a phone. */
export function StatementCards({ months, isExact }: Omit<Props, "zoneName">) {
  return (
    <div className="md:hidden print:hidden">
      {months.map(({ totals, lines }) => (
        <section key={totals.month} aria-label={formatMonth(totals.month)}>
          <MonthHead totals={totals} isExact={isExact} />
          <ul className="divide-y divide-border">
            {lines.map((line) => (
              <LineItem key={line.id} line={line} isExact={isExact} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function MonthHead({ totals, isExact }: MonthProps) {
  const { opening, closing, received, paid, fees } = showTotals(totals, isExact);
  return (
    <header className="border-y border-border bg-surface-2 px-3 py-2">
      <h2 className="flex justify-between gap-3 font-[550]">
        {formatMonth(totals.month)}
        {closing !== null && <Amount usdc={closing} isExact={isExact} />}
      </h2>
      <p className="text-small text-text-2">
        {opening !== null && (
          <>
            Opening <Amount usdc={opening} isExact={isExact} /> ·{" "}
          </>
        )}
        in <Amount usdc={received} isExact={isExact} /> · out{" "}
        <Amount usdc={paid} isExact={isExact} /> · fees <Amount usdc={fees} isExact={isExact} />
      </p>
    </header>
  );
}

function LineItem({ line, isExact }: { line: StatementLineWire; isExact: boolean }) {
  const { amount, balance } = showLine(line, isExact);
  return (
    <li className="flex items-start justify-between gap-3 px-3 py-2.5">
      <span className="min-w-0">
        <LineSentence line={line} />
        {line.market && (
          <span className="block truncate text-small text-text-2">{line.market.title}</span>
        )}
        <span className="block text-small text-text-3">
          <TimeStamp at={line.createdAt} isRelative={false} />
        </span>
      </span>
      <span className="shrink-0 text-right">
        <SignedAmount usdc={amount} isExact={isExact} />
        <span className="block text-small text-text-2">
          <Amount usdc={balance} isExact={isExact} />
        </span>
      </span>
    </li>
  );
}
