"use client";

import Link from "next/link";
import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { UNKNOWN_TEXT } from "@/components/trading/ticket/wording";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";
import type { TicketOrderInput } from "@/lib/schemas/ticket";

interface Props {
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  order: TicketOrderInput;
  /** The average that is shown with it, in dollars; the order is held back if it moved away. */
  average: string | null;
  editHref: string;
  label: string;
  /** Which money it is. */
  mode: "paper" | "live";
}

/** The button that places a reviewed order. Repeating it repeats the same order, which is one. */
export function ConfirmForm({ action, order, average, editHref, label, mode }: Props) {
  const [state, submit] = useActionState<ActionState, FormData>(action, { status: "idle" });
  const failure = state.status === "failed" ? state : null;
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
            failure.message
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
          {isUnknown ? "Retry safely" : label} <span className="font-normal">· {mode}</span>
        </SubmitButton>
      </div>
    </form>
  );
}

/** After these nobody knows whether the order has arrived. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set([
  "ORDER_OUTCOME_UNKNOWN",
  "ORDER_IN_PROGRESS",
  "DATABASE_UNAVAILABLE",
  "INTERNAL_ERROR",
]);
