import { formatCount } from "@/components/format/numbers";
import { formatDay } from "@/components/format/times";
import { type CheckedDay, KEPT_DAYS, listDays } from "@/lib/domain/checked-days";

interface Props {
  days: readonly CheckedDay[];
  /** The time of the page. */
  at: Date;
}

const HEIGHT = 24;
/** A day without a check is a low bar. */
const EMPTY_HEIGHT = 4;
const WIDTH = 6;
const STEP = 9;

/** The periodic checks of the last 30 days, in a sentence and as a bar per day. Nothing before the first. */
export function CheckedDays({ days, at }: Props) {
  if (days.length === 0) return null;
  const byDay = new Map(days.map((each) => [each.day, each]));
  const width = KEPT_DAYS * STEP - (STEP - WIDTH);
  return (
    <div className="mt-4">
      <p>{describeDays(days)}</p>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        className="mt-2 max-w-full"
      >
        {listDays(at).map((day, index) => (
          <Bar key={day} day={day} found={byDay.get(day)} x={index * STEP} />
        ))}
      </svg>
      <p className="mt-1 text-caption text-text-3">Last {KEPT_DAYS} days, by UTC</p>
    </div>
  );
}

function Bar({ day, found, x }: { day: string; found: CheckedDay | undefined; x: number }) {
  const height = found ? HEIGHT : EMPTY_HEIGHT;
  const look = !found ? "fill-control" : found.failed > 0 ? "fill-danger" : "fill-up";
  const text = found ? describeDays([found]) : "No checks.";
  return (
    <rect x={x} y={HEIGHT - height} width={WIDTH} height={height} className={look}>
      <title>{`${toText(day)}: ${text}`}</title>
    </rect>
  );
}

/** "144 periodic checks on 2 days. All balanced." */
export function describeDays(days: readonly CheckedDay[]): string {
  const checks = days.reduce((all, each) => all + each.checks, 0);
  const failing = days.filter(({ failed }) => failed > 0);
  const failed = failing.reduce((all, each) => all + each.failed, 0);
  const counted = plural(checks, "periodic check");
  const spread = days.length === 1 ? counted : `${counted} on ${days.length} days`;
  if (failed === 0) return `${spread}. ${checks === 1 ? "It balanced." : "All balanced."}`;
  const last = failing.at(-1)?.day;
  const when = days.length === 1 || !last ? "" : `, the last on ${toText(last)}`;
  return `${spread}. ${formatCount(failed)} found mismatches${when}.`;
}

const plural = (count: number, word: string) =>
  `${formatCount(count)} ${count === 1 ? word : `${word}s`}`;

const toText = (day: string) => formatDay(`${day}T00:00:00.000Z`, "UTC");
