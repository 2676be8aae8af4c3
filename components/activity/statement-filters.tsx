import { SlidersHorizontal, X } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { TYPE_FILTERS } from "@/components/activity/kinds";
import { buildStatementHref, type StatementView } from "@/components/activity/statement-href";
import { formatMonth, formatZone } from "@/components/format/times";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { PILL, PillLink } from "@/components/ui/pill-link";
import { previousMonth, toLastDay } from "@/lib/domain/days";

interface Props {
  view: StatementView;
  zone: string;
  /** The current month in that zone: "2026-11". */
  month: string;
}

/** The filters as one row of links, which apply immediately, and a form for markets and dates. */
export function StatementFilters({ view, zone, month }: Props) {
  return (
    <>
      <nav
        aria-label="Filter activity"
        className="scroll-cue relative flex items-center gap-1 overflow-x-auto px-2 pt-1 pb-2 sm:px-3 print:hidden"
      >
        <button type="button" popoverTarget={PANEL} className={`${PILL} border-control text-text`}>
          <SlidersHorizontal aria-hidden="true" className="size-4" /> Filter
        </button>
        <ActiveChips view={view} />
        <PillLink href={buildStatementHref(view, { type: null })} isCurrent={view.type === null}>
          All
        </PillLink>
        {TYPE_FILTERS.map(({ type, label }) => (
          <PillLink
            key={type}
            href={buildStatementHref(view, { type })}
            isCurrent={view.type === type}
          >
            {label}
          </PillLink>
        ))}
        <span aria-hidden="true" className="mx-1 h-5 shrink-0 border-l border-border" />
        <MonthChip view={view} month={month} label="This month" />
        <MonthChip view={view} month={previousMonth(month)} label="Last month" />
      </nav>
      <FilterPanel view={view} zone={zone} />
    </>
  );
}

const PANEL = "statement-filter";

function MonthChip({ view, month, label }: { view: StatementView; month: string; label: string }) {
  const [from, to] = [`${month}-01`, toLastDay(month)];
  const isCurrent = view.from === from && view.to === to;
  const change = isCurrent ? { from: "", to: "" } : { from, to };
  return (
    <PillLink href={buildStatementHref(view, change)} isCurrent={isCurrent}>
      {label}
      <span className="sr-only">, {formatMonth(month)}</span>
    </PillLink>
  );
}

/** The filters of the form that are on, each with a way to remove it. */
function ActiveChips({ view }: { view: StatementView }) {
  const isMonth = view.from.endsWith("-01") && view.to === toLastDay(view.from.slice(0, 7));
  return (
    <>
      {view.market !== "" && (
        <Removable href={buildStatementHref(view, { market: "" })}>“{view.market}”</Removable>
      )}
      {(view.from !== "" || view.to !== "") && (
        <Removable href={buildStatementHref(view, { from: "", to: "" })}>
          {isMonth ? formatMonth(view.from.slice(0, 7)) : formatDays(view)}
        </Removable>
      )}
    </>
  );
}

const formatDays = ({ from, to }: StatementView) =>
  from === "" ? `until ${to}` : to === "" ? `from ${from}` : `${from} to ${to}`;

function Removable({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      className={`${PILL} max-w-56 border-control bg-surface-2 text-text`}
    >
      <span className="sr-only">Remove filter </span>
      <span className="truncate">{children}</span>
      <X aria-hidden="true" className="size-3.5 shrink-0" />
    </Link>
  );
}

/** The form, in a layer of the browser's own, which needs no script. */
function FilterPanel({ view, zone }: { view: StatementView; zone: string }) {
  return (
    <div
      id={PANEL}
      popover="auto"
      role="dialog"
      aria-label="Filter activity"
      className="m-auto w-[min(22.5rem,calc(100vw-2rem))] rounded-card border border-border bg-surface p-4 text-text shadow-layer backdrop:bg-black/40"
    >
      <form key={JSON.stringify(view)} action="/activity" className="grid grid-cols-2 gap-3">
        {view.type !== null && <input type="hidden" name="type" value={view.type} />}
        {view.isExact && <input type="hidden" name="exact" value="1" />}
        <div className="col-span-2">
          <Field label="Market" htmlFor="activity-market">
            <input
              id="activity-market"
              name="market"
              type="search"
              defaultValue={view.market}
              placeholder="Search markets"
              className="control"
            />
          </Field>
        </div>
        <DayField label="From" name="from" value={view.from} zone={zone} />
        <DayField label="To" name="to" value={view.to} zone={zone} />
        <div className="col-span-2 flex justify-end gap-2">
          <Button tone="quiet" popoverTarget={PANEL} popoverTargetAction="hide">
            Cancel
          </Button>
          <Button type="submit" tone="primary">
            Apply
          </Button>
        </div>
      </form>
    </div>
  );
}

interface DayFieldProps {
  label: string;
  name: "from" | "to";
  value: string;
  zone: string;
}

function DayField({ label, name, value, zone }: DayFieldProps) {
  const id = `activity-${name}`;
  return (
    <Field label={label} htmlFor={id}>
      <input
        id={id}
        name={name}
        type="date"
        defaultValue={value}
        title={`Dates in ${formatZone(zone)}`}
        className="control"
      />
    </Field>
  );
}
