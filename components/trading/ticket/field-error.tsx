import { fixLabel, issueText } from "@/components/trading/ticket/wording";
import type { Ticket } from "@/lib/client/use-ticket";
import type { TextField } from "@/lib/domain/ticket/form";
import type { TicketIssue } from "@/lib/domain/ticket/issues";

/** The issue of a field, if it is time to show it. */
export function shownIssue({ form, assessment }: Ticket, field: TextField): TicketIssue | null {
  if (!form.shown.includes(field)) return null;
  return assessment.issues.find((issue) => issue.field === field) ?? null;
}

interface Props {
  ticket: Ticket;
  issue: TicketIssue | null;
  id: string;
}

/** What is wrong with a field, with the button that puts it right. */
export function FieldError({ ticket, issue, id }: Props) {
  if (!issue) return null;
  return (
    <p id={id} className="flex flex-wrap items-center gap-x-2 text-small text-danger">
      {issueText(issue)}
      <FixButton ticket={ticket} of={issue} />
    </p>
  );
}

/** Puts into the field what would solve an issue. */
export function FixButton({ ticket, of }: { ticket: Ticket; of: Parameters<typeof fixLabel>[0] }) {
  const label = fixLabel(of);
  const { fix } = of;
  if (label === null || !fix) return null;
  return (
    <button
      type="button"
      onClick={() => ticket.dispatch({ kind: "type", ...fix })}
      className="link min-h-11 font-[550] lg:min-h-6"
    >
      {label}
    </button>
  );
}
