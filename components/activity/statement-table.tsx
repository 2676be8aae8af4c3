import { Fragment } from "react";
import {
  Amount,
  LineSentence,
  showLine,
  type ShownTotals,
  showTotals,
  SignedAmount,
  type StatementDecimals,
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
  decimals: StatementDecimals;
  /** The name of the times' zone: "Berlin time". */
  zoneName: string;
}

export function StatementTable({ months, decimals, zoneName }: Props) {
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
          <MonthRow totals={totals} decimals={decimals} />
          {lines.map((line) => (
            <LineRow key={line.id} line={line} decimals={decimals} />
          ))}
        </Fragment>
      ))}
    </Table>
  );
}

interface MonthProps {
  totals: StatementMonth["totals"];
  decimals: StatementDecimals;
}

/** A month's totals, in the columns of its lines. */
function MonthRow({ totals, decimals }: MonthProps) {
  const { opening, closing, received, paid, beforeFees, fees, change } = showTotals(
    totals,
    decimals,
  );
  return (
    <tr className="border-t border-border bg-surface-2 align-baseline">
      <th scope="rowgroup" colSpan={3} className="px-3 py-2.5 text-left font-normal">
        <span className="mr-3 font-[550]">{formatMonth(totals.month)}</span>
        <span className="text-small text-text-2">
          {opening !== null && (
            <>
              Opening <Amount usdc={opening} decimals={decimals.balances} /> ·{" "}
            </>
          )}
          in <Amount usdc={received} decimals={decimals.amounts} /> · out{" "}
          <Amount usdc={paid} decimals={decimals.amounts} /> · {formatCount(totals.lines)}{" "}
          {totals.lines === 1 ? "line" : "lines"}
        </span>
      </th>
      <td className={TOTAL}>
        <SignedAmount usdc={beforeFees} decimals={decimals.trades} />
      </td>
      <td className={TOTAL}>
        <Amount usdc={fees} decimals={decimals.trades} />
      </td>
      <td className={TOTAL}>
        <SignedAmount usdc={change} decimals={decimals.amounts} />
      </td>
      <td className={TOTAL}>
        {closing === null ? "" : <Amount usdc={closing} decimals={decimals.balances} />}
      </td>
    </tr>
  );
}

const TOTAL = "num px-3 py-2.5 text-right font-[550] whitespace-nowrap";

function LineRow({ line, decimals }: { line: StatementLineWire; decimals: StatementDecimals }) {
  const { beforeFees, fee, amount, balance } = showLine(line, decimals);
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
        <SignedAmount usdc={beforeFees} decimals={decimals.trades} />
      </Cell>
      <Cell isNumeric>
        {line.feeUsdc === 0 ? (
          <span className="text-text-3">—</span>
        ) : (
          <Amount usdc={fee} decimals={decimals.trades} />
        )}
      </Cell>
      <Cell isNumeric>
        <SignedAmount usdc={amount} decimals={decimals.amounts} />
      </Cell>
      <Cell isNumeric>
        <Amount usdc={balance} decimals={decimals.balances} />
      </Cell>
    </Row>
  );
}

/** The statement on a phone. */
export function StatementCards({ months, decimals }: Omit<Props, "zoneName">) {
  return (
    <div className="md:hidden print:hidden">
      {months.map(({ totals, lines }) => (
        <section key={totals.month} aria-label={formatMonth(totals.month)}>
          <MonthHead totals={totals} decimals={decimals} />
          <ul className="divide-y divide-border">
            {lines.map((line) => (
              <LineItem key={line.id} line={line} decimals={decimals} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function MonthHead({ totals, decimals }: MonthProps) {
  const { opening, closing, received, paid, fees } = showTotals(totals, decimals);
  return (
    <header className="border-y border-border bg-surface-2 px-3 py-2">
      <h2 className="flex justify-between gap-3 font-[550]">
        {formatMonth(totals.month)}
        {closing !== null && <Amount usdc={closing} decimals={decimals.balances} />}
      </h2>
      <p className="text-small text-text-2">
        {opening !== null && (
          <>
            Opening <Amount usdc={opening} decimals={decimals.balances} /> ·{" "}
          </>
        )}
        in <Amount usdc={received} decimals={decimals.amounts} /> · out{" "}
        <Amount usdc={paid} decimals={decimals.amounts} /> · fees{" "}
        <Amount usdc={fees} decimals={decimals.trades} />
      </p>
    </header>
  );
}

function LineItem({ line, decimals }: { line: StatementLineWire; decimals: StatementDecimals }) {
  const { amount, balance } = showLine(line, decimals);
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
        <SignedAmount usdc={amount} decimals={decimals.amounts} />
        <span className="block text-small text-text-2">
          <Amount usdc={balance} decimals={decimals.balances} />
        </span>
      </span>
    </li>
  );
}
