"use client";

import Link from "next/link";
import { MaskedText } from "@/components/format/masked-text";
import { type FormAction, useActionForm } from "@/components/ui/action-form";
import { UNKNOWN_TEXT } from "@/components/trading/wording";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";
import type { TicketOrderInput } from "@/lib/schemas/ticket";

interface Props {
  action: FormAction;
  order: TicketOrderInput;
  /** The shown average price in dollars. The order isn't placed if the price got worse. */
  average: string | null;
  editHref: string;
  label: string;
}

/** The button that places a reviewed order. Repeated submits place it only once. */
export function ConfirmForm({ action, order, average, editHref, label }: Props) {
  const { submit, failure } = useActionForm(action);
  const isUnknown = failure !== null && UNKNOWN_CODES.has(failure.code);
  return (
    <form action={submit} className="flex flex-col gap-3">
      <input type="hidden" name="order" value={JSON.stringify(order)} />
      {average !== null && <input type="hidden" name="average" value={average} />}
      {failure && (
        <Callout
          tone={isUnknown ? "warn" : "danger"}
          role="alert"
          {...(isUnknown && { title: UNKNOWN_TEXT })}
        >
          {isUnknown ? (
            <Link
              className="link"
              href={`/orders/receipt/${encodeURIComponent(order.idempotencyKey)}`}
            >
              Check again
            </Link>
          ) : (
            <MaskedText text={failure.message} />
          )}
        </Callout>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row">
        <ButtonLink size="large" href={editHref}>
          Edit
        </ButtonLink>
        <SubmitButton
          tone={order.action === "BUY" ? "buy" : "sell"}
          size="large"
          className="sm:flex-1"
          pendingLabel="Placing…"
        >
          {isUnknown ? "Retry safely" : label}
        </SubmitButton>
      </div>
    </form>
  );
}

/** Error codes after which the order's outcome is unknown. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set([
  "ORDER_OUTCOME_UNKNOWN",
  "ORDER_IN_PROGRESS",
  "DATABASE_UNAVAILABLE",
  "INTERNAL_ERROR",
]);
