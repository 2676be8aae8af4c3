import {
  Detail,
  KindMark,
  SignedAmount,
  type StatementLineWire,
  LineSubject,
} from "@/components/activity/line-parts";
import { showCashLine } from "@/components/format/sums";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

/** The lines of one day in the user's time zone. */
export interface StatementDay {
  day: string;
  lines: readonly StatementLineWire[];
}

const COLUMNS = 8;

export function StatementTable({ days }: { days: readonly StatementDay[] }) {
  const head = (
    <tr>
      <HeadCell>Time</HeadCell>
      <HeadCell>Type</HeadCell>
      <HeadCell>Market</HeadCell>
      <HeadCell>Detail</HeadCell>
      <HeadCell isNumeric>Before fees</HeadCell>
      <HeadCell isNumeric>Fee</HeadCell>
      <HeadCell isNumeric>After fees</HeadCell>
      <HeadCell isNumeric>Balance</HeadCell>
    </tr>
  );
  return (
    <Table caption="Activity" head={head} hasCards>
      {days.map(({ day, lines }) => [
        <tr key={day} className="border-t border-border bg-surface-2">
          <td colSpan={COLUMNS} className="px-3 py-1.5 text-caption text-text-2">
            {day}
          </td>
        </tr>,
        ...lines.map((line) => <LineRow key={line.id} line={line} />),
      ])}
    </Table>
  );
}

function LineRow({ line }: { line: StatementLineWire }) {
  const { beforeFees, fee, amount, balance } = showCashLine(line);
  return (
    <Row>
      <Cell>
        <TimeStamp at={line.createdAt} />
      </Cell>
      <Cell>
        <KindMark line={line} />
      </Cell>
      <Cell>
        <LineSubject line={line} />
      </Cell>
      <Cell>
        <span className="whitespace-nowrap">
          <Detail line={line} />
        </span>
      </Cell>
      <Cell isNumeric>
        <SignedAmount usdc={beforeFees} />
      </Cell>
      <Cell isNumeric>
        {line.feeUsdc === 0 ? <span className="text-text-3">—</span> : <Money usdc={fee} />}
      </Cell>
      <Cell isNumeric>
        <SignedAmount usdc={amount} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={balance} />
      </Cell>
    </Row>
  );
}

/** The statement on a phone, grouped by day. */
export function StatementCards({ days }: { days: readonly StatementDay[] }) {
  return (
    <div className="md:hidden">
      {days.map(({ day, lines }) => (
        <section key={day} aria-label={day}>
          <h2 className="border-y border-border bg-surface-2 px-3 py-1.5 text-caption text-text-2">
            {day}
          </h2>
          <ul className="divide-y divide-border">
            {lines.map((line) => (
              <li key={line.id} className="flex items-start justify-between gap-3 px-3 py-2.5">
                <span className="min-w-0">
                  <span className="flex items-center gap-2">
                    <KindMark line={line} />
                    <span className="truncate text-text-2">{line.market?.title}</span>
                  </span>
                  <span className="block text-small text-text-2">
                    <Detail line={line} />
                  </span>
                  <span className="block text-small text-text-3">
                    <TimeStamp at={line.createdAt} />
                  </span>
                </span>
                <span className="shrink-0 text-right">
                  <SignedAmount usdc={showCashLine(line).amount} />
                  <span className="block text-small text-text-2">
                    <Money usdc={showCashLine(line).balance} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
