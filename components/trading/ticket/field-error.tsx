import { MaskedText } from "@/components/format/masked-text";
import { formatFixLabel, describeIssue } from "@/components/trading/wording";
import type { Ticket } from "@/lib/browser/use-ticket";
import type { TicketField } from "@/lib/domain/ticket/form";
import type { TicketIssue } from "@/lib/domain/ticket/issues";

/** Returns the issue of a field if it is shown. Switches show theirs immediately. */
export function findShownIssue(
  { form, assessment }: Ticket,
  field: TicketField,
): TicketIssue | null {
  if (form.refused?.field === field) return { kind: "refused", ...form.refused };
  const isSwitch = field === "postOnly" || field === "fillOrKill";
  if (!isSwitch && !form.shown.includes(field)) return null;
  return assessment.issues.find((issue) => issue.field === field) ?? null;
}

interface Props {
  ticket: Ticket;
  issue: TicketIssue | null;
  id: string;
}

/** A field's error with a button that fixes it. */
export function FieldError({ ticket, issue, id }: Props) {
  if (!issue) return null;
  return (
    <p id={id} className="flex flex-wrap items-center gap-x-2 text-small text-danger">
      <span>
        <MaskedText text={describeIssue(issue)} />
      </span>
      <FixButton ticket={ticket} of={issue} />
    </p>
  );
}

/** Fills in the text that solves an issue. */
export function FixButton({
  ticket,
  of,
}: {
  ticket: Ticket;
  of: Parameters<typeof formatFixLabel>[0];
}) {
  const label = formatFixLabel(of);
  const { fix } = of;
  if (label === null || !fix) return null;
  return (
    <button
      type="button"
      onClick={() => ticket.dispatch({ kind: "type", ...fix })}
      className="link min-h-11 font-[550] lg:min-h-6"
    >
      <MaskedText text={label} />
    </button>
  );
}
