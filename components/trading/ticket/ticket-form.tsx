"use client";

import type { FormEvent, KeyboardEvent, RefObject } from "react";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import { shownIssue } from "@/components/trading/ticket/field-error";
import { type HrefOf, ModeSwitches, OutcomeButtons } from "@/components/trading/ticket/modes";
import { Notices } from "@/components/trading/ticket/notices";
import { PriceField } from "@/components/trading/ticket/price-field";
import { SizeField } from "@/components/trading/ticket/size-field";
import { SubmitPart } from "@/components/trading/ticket/submit-part";
import { UnknownNotice } from "@/components/trading/ticket/unknown-notice";
import { issueText } from "@/components/trading/ticket/wording";
import type { Placement } from "@/components/trading/ticket/use-placement";
import { Callout } from "@/components/ui/callout";
import type { Ticket } from "@/lib/client/use-ticket";
import type { TradingSettings } from "@/lib/schemas/settings";
import { findUnplaceable, mustConfirm } from "@/lib/domain/ticket/issues";

interface Props {
  ticket: Ticket;
  placement: Placement;
  settings: TradingSettings;
  idempotencyKey: string;
  /** The address of this page, for the links that make a choice without JavaScript. */
  page: { path: string; query: Record<string, string> };
  formRef: RefObject<HTMLFormElement | null>;
  /** The sheet has an edge of its own, and its button stays in sight above a keyboard. */
  isInSheet: boolean;
}

/** The fields of an order and what they come to. */
export function TicketForm(props: Props) {
  const { ticket, placement, settings, formRef, isInSheet } = props;
  const { form, dispatch, assessment } = ticket;
  const { phase } = placement;
  const isLocked = phase.kind === "unknown" || phase.kind === "placing";
  const isReviewed =
    settings.reviewOrders || !ticket.account.data.hasOrdered || mustConfirm(assessment.warnings);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isLocked || assessment.block) return;
    if (assessment.order && assessment.issues.length === 0) {
      if (isReviewed) placement.review();
      else placement.placeNow();
      return;
    }
    dispatch({ kind: "send" });
    focusFirstError(formRef);
  };
  const hrefOf = hrefMaker(ticket, props.page);
  return (
    <form
      ref={formRef}
      action="/trade/review"
      noValidate
      onSubmit={onSubmit}
      onKeyDown={submitOnCtrlEnter}
      onChange={placement.forget}
      className={`flex flex-col gap-4 ${isInSheet ? "" : "p-4 pt-3"}`}
    >
      <HiddenFields ticket={ticket} idempotencyKey={props.idempotencyKey} />
      <div inert={isLocked} className="flex flex-col gap-4">
        <ModeSwitches ticket={ticket} hrefOf={hrefOf} />
        <OutcomeButtons ticket={ticket} hrefOf={hrefOf} />
        {form.type === "limit" && <PriceField ticket={ticket} />}
        <SizeField ticket={ticket} quickAmounts={settings.quickAmounts} />
      </div>
      <EstimateList
        order={assessment.order}
        estimate={assessment.estimate}
        projection={ticket.projection}
        context={ticket.context}
        reason={reasonForNoEstimate(ticket)}
      />
      <Notices ticket={ticket} />
      {/* What became of the last try stands by the button: in a sheet it is always in sight. */}
      <div className={`flex flex-col gap-3 ${isInSheet ? FOOT : ""}`}>
        {placement.refusal !== null && (
          <Callout tone="danger" role="alert">
            {placement.refusal}
          </Callout>
        )}
        <UnknownNotice placement={placement} />
        <SubmitPart
          ticket={ticket}
          isLocked={isLocked}
          isWorking={phase.kind === "placing" || (phase.kind === "unknown" && phase.isChecking)}
          isReviewed={isReviewed}
        />
      </div>
    </form>
  );
}

/** As wide as the sheet, over its padding. */
const FOOT = "sticky bottom-0 -mx-4 -mb-4 border-t border-border bg-surface px-4 pt-3 pb-4";

/** What the review page of a browser without JavaScript needs besides the fields. */
function HiddenFields({ ticket, idempotencyKey }: { ticket: Ticket; idempotencyKey: string }) {
  const { form, market } = ticket;
  return (
    <>
      <input type="hidden" name="token" value={market.outcomes[form.outcome].tokenId} />
      <input type="hidden" name="side" value={form.action === "BUY" ? "buy" : "sell"} />
      <input type="hidden" name="type" value={form.type} />
      <input type="hidden" name="key" value={idempotencyKey} />
    </>
  );
}

function hrefMaker({ form, market }: Ticket, page: Props["page"]): HrefOf {
  return (choice) => {
    const next = { ...form, ...choice };
    const query = new URLSearchParams({
      ...page.query,
      token: market.outcomes[next.outcome].tokenId,
      side: next.action === "BUY" ? "buy" : "sell",
      type: next.type,
    });
    return `${page.path}?${query.toString()}#ticket`;
  };
}

/** Said before the field is left and says it itself. */
function reasonForNoEstimate(ticket: Ticket): string | null {
  const issue = findUnplaceable(ticket.assessment.issues);
  const isSaid = issue?.field != null && shownIssue(ticket, issue.field) === issue;
  return issue && !isSaid ? issueText(issue) : null;
}

/** The errors are there after the next paint: at a field, or about the order as a whole. */
function focusFirstError(formRef: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    formRef.current?.querySelector<HTMLElement>("[aria-invalid], [data-refusal]")?.focus();
  });
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.currentTarget.requestSubmit();
  }
}
