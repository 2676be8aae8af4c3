import Link from "next/link";
import { MaskedText } from "@/components/format/masked-text";
import { usePreferences } from "@/components/format/preferences";
import { FixButton } from "@/components/trading/ticket/field-error";
import {
  describeBlock,
  describeClosed,
  describeIssue,
  describeWarning,
} from "@/components/trading/wording";
import { Callout } from "@/components/ui/callout";
import type { Ticket } from "@/lib/browser/use-ticket";
import type { TicketWarning } from "@/lib/domain/ticket/issues";

/** Written out: the list of sections would be part of the page's first scripts. */
const LIMITS = "/settings?section=limits";

/** The look of a notice that gets the focus. */
export const FOCUSABLE_NOTICE =
  "rounded-control focus:outline-2 focus:outline-offset-2 focus:outline-accent";

/** Issues and warnings of the whole order, most urgent first. */
export function Notices({ ticket }: { ticket: Ticket }) {
  const { assessment, context } = ticket;
  const general = assessment.issues.filter((issue) => issue.field === null);
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {general.map((issue) => (
        // Gets the focus if the order is submitted despite the issue.
        <div key={issue.kind} data-refusal="" tabIndex={-1} className={FOCUSABLE_NOTICE}>
          <Callout tone="warn">
            <MaskedText text={describeIssue(issue)} />
            {issue.kind === "allowance_short" && (
              <>
                {" "}
                <Link href="/wallet" className="link">
                  Open wallet
                </Link>
              </>
            )}
          </Callout>
        </div>
      ))}
      {assessment.warnings.map((warning) => (
        <Callout key={warning.kind} tone={chooseTone(warning)}>
          <span className="text-small">
            <MaskedText text={describeWarning(warning, context.rules.tick)} />{" "}
          </span>
          {warning.kind === "partial" && <FixButton ticket={ticket} of={warning} />}
        </Callout>
      ))}
    </div>
  );
}

/** The reason why the submit button is disabled. */
export function BlockNotice({ ticket }: { ticket: Ticket }) {
  const clock = usePreferences();
  const { block } = ticket.assessment;
  if (!block) return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 text-small text-text-2">
      {block === "not_accepting"
        ? describeClosed(ticket.market.closesAt, clock)
        : describeBlock(block)}
      {block === "frozen" && (
        <Link href={LIMITS} prefetch={false} className="link min-h-6">
          Limits and freeze
        </Link>
      )}
      {block === "book_dead" && (
        <button
          type="button"
          onClick={() => void ticket.book.refresh()}
          className="link min-h-11 lg:min-h-6"
        >
          Update prices
        </button>
      )}
    </p>
  );
}

function chooseTone(warning: TicketWarning): "info" | "warn" {
  return warning.kind === "fills_now" ? "info" : "warn";
}
