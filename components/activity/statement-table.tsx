import {
  Detail,
  KindMark,
  SignedAmount,
  type StatementLineWire,
  Subject,
} from "@/components/activity/line-parts";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

/** Lines of one day, as the reader's calendar has it. */
export interface StatementDay {
  day: string;
  lines: readonly StatementLineWire[];
}

const COLUMNS = 7;

export function StatementTable({ days }: { days: readonly StatementDay[] }) {
  const head = (
    <tr>
      <HeadCell>Time</HeadCell>
      <HeadCell>Type</HeadCell>
      <HeadCell>Market</HeadCell>
      <HeadCell>Detail</HeadCell>
      <HeadCell isNumeric>Amount</HeadCell>
      <HeadCell isNumeric>Fee in it</HeadCell>
      <HeadCell isNumeric>Cash after</HeadCell>
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
  return (
    <Row>
      <Cell>
        <TimeStamp at={line.createdAt} />
      </Cell>
      <Cell>
        <KindMark line={line} />
      </Cell>
      <Cell>
        <Subject line={line} />
      </Cell>
      <Cell>
        <span className="whitespace-nowrap">
          <Detail line={line} />
        </span>
      </Cell>
      <Cell isNumeric>
        <SignedAmount line={line} />
      </Cell>
      <Cell isNumeric>
        {line.feeUsdc === 0 ? (
          <span className="text-text-3">—</span>
        ) : (
          <Money usdc={line.feeUsdc} isPaid />
        )}
      </Cell>
      <Cell isNumeric>
        <Money usdc={line.balanceUsdc} />
      </Cell>
    </Row>
  );
}

/** The same on a phone: two lines each, day by day. */
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
                  <SignedAmount line={line} />
                  <span className="block text-small text-text-2">
                    <Money usdc={line.balanceUsdc} />
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
