import { TYPE_FILTERS } from "@/components/activity/kinds";
import type { StatementView } from "@/components/activity/statement-href";
import { formatDay, formatZone } from "@/components/format/times";
import { now } from "@/lib/clock";

interface Props {
  view: StatementView;
  zone: string;
  /** Which lines are on the page; null if all are. */
  lines: string | null;
}

/** The head of the printed statement: which period and which lines. */
export function StatementHead({ view, zone, lines }: Props) {
  const at = new Date(now()).toISOString();
  const type = TYPE_FILTERS.find((filter) => filter.type === view.type);
  return (
    <header className="mb-4 hidden print:block">
      <p className="text-title">Ante account statement</p>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt>Period</dt>
        <dd>
          {describePeriod(view, formatDay(at, zone))}, {formatZone(zone)}
        </dd>
        {(type || view.market !== "") && (
          <>
            <dt>Filter</dt>
            <dd>
              {[type?.label, view.market && `markets with “${view.market}”`]
                .filter(Boolean)
                .join(", ")}
            </dd>
          </>
        )}
        {lines !== null && (
          <>
            <dt>Lines</dt>
            <dd>{lines}</dd>
          </>
        )}
        <dt>Amounts</dt>
        <dd>US dollars</dd>
      </dl>
    </header>
  );
}

function describePeriod({ from, to }: StatementView, today: string): string {
  const start = from === "" ? "Since the account was opened" : `${toText(from)}`;
  return `${start} to ${to === "" ? today : toText(to)}`;
}

const toText = (day: string) => formatDay(`${day}T00:00:00Z`, "UTC");
