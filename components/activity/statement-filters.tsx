import { type Kind, KINDS } from "@/components/activity/kinds";
import { isFiltered, type StatementView } from "@/components/activity/statement-href";
import { formatZone } from "@/components/format/times";
import { Button, ButtonLink } from "@/components/ui/button";
import { Field } from "@/components/ui/field";

const KIND_NAMES = ["buy", "sell", "claim", "deposit"] as const satisfies readonly Kind[];

/** The filters, as a plain form whose fields become the query string. */
export function StatementFilters({ view, zone }: { view: StatementView; zone: string }) {
  return (
    <form
      key={JSON.stringify(view)}
      action="/activity"
      className="grid grid-cols-2 items-end gap-3 p-3 sm:p-4 lg:grid-cols-[160px_1fr_160px_160px_auto]"
    >
      <Field label="Type" htmlFor="activity-type">
        <select id="activity-type" name="type" defaultValue={view.type ?? ""} className="control">
          <option value="">All</option>
          {KIND_NAMES.map((kind) => (
            <option key={kind} value={kind}>
              {KINDS[kind].label}
            </option>
          ))}
        </select>
      </Field>
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
      <Field label="From" htmlFor="activity-from">
        <input
          id="activity-from"
          name="from"
          type="date"
          defaultValue={view.from}
          title={`Dates in ${formatZone(zone)}`}
          className="control"
        />
      </Field>
      <Field label="To" htmlFor="activity-to">
        <input
          id="activity-to"
          name="to"
          type="date"
          defaultValue={view.to}
          title={`Dates in ${formatZone(zone)}`}
          className="control"
        />
      </Field>
      <span className="col-span-2 flex gap-2 lg:col-span-1">
        <Button type="submit" tone="primary">
          Apply
        </Button>
        {isFiltered(view) && (
          <ButtonLink href="/activity" scroll={false}>
            Clear filters
          </ButtonLink>
        )}
      </span>
    </form>
  );
}
