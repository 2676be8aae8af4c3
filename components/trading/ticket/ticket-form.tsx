"use client";

import { type FormEvent, type KeyboardEvent, type RefObject, useEffect } from "react";
import { MaskedText } from "@/components/format/masked-text";
import { EstimateList } from "@/components/trading/ticket/estimate-list";
import { findShownIssue } from "@/components/trading/ticket/field-error";
import { type BuildHref, ModeSwitches, OutcomeButtons } from "@/components/trading/ticket/modes";
import { FOCUSABLE_NOTICE, Notices } from "@/components/trading/ticket/notices";
import { LimitOptions, MarketOptions } from "@/components/trading/ticket/order-options";
import { PriceField } from "@/components/trading/ticket/price-field";
import { ReviewChoice } from "@/components/trading/ticket/review-choice";
import { SizeField } from "@/components/trading/ticket/size-field";
import { SubmitPart } from "@/components/trading/ticket/submit-part";
import { describeIssue, UNKNOWN_TEXT } from "@/components/trading/wording";
import type { Placement } from "@/components/trading/ticket/use-placement";
import { Callout } from "@/components/ui/callout";
import type { Ticket } from "@/lib/browser/use-ticket";
import type { TradingSettings } from "@/lib/schemas/settings";
import { findUnplaceable } from "@/lib/domain/ticket/issues";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { mustConfirm } from "@/lib/domain/ticket/must-review";

interface Props {
  ticket: Ticket;
  placement: Placement;
  settings: TradingSettings;
  idempotencyKey: string;
  /** The query parameters that the links for browsers without JavaScript keep. */
  keptQuery: Record<string, string>;
  formRef: RefObject<HTMLFormElement | null>;
  /** Whether the user has orders reviewed, and its setter. */
  reviewChoice: readonly [boolean, (isOn: boolean) => void];
  /** Whether the form is in the phone's sheet, where the submit button stays visible above a keyboard. */
  isInSheet: boolean;
}

/** The fields of an order and their estimate. */
export function TicketForm(props: Props) {
  const { ticket, placement, settings, formRef, isInSheet } = props;
  const { form, dispatch, assessment } = ticket;
  const { phase } = placement;
  const [reviewsOrders, setReviewsOrders] = props.reviewChoice;
  const isLocked = phase.kind === "unknown" || phase.kind === "placing";
  const isReviewed =
    reviewsOrders || !ticket.account.data.hasOrdered || mustConfirm(assessment.warnings);
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
  useFocusOnRefusal(formRef, placement.refusal ?? form.refused);
  const buildHref = createHrefBuilder(ticket, props.keptQuery);
  return (
    <form
      ref={formRef}
      action="/trade/review"
      noValidate
      onSubmit={onSubmit}
      onKeyDown={handleKey}
      onChange={placement.forget}
      className={`flex flex-col gap-4 ${isInSheet ? "" : "p-4 pt-3"}`}
    >
      <HiddenFields ticket={ticket} idempotencyKey={props.idempotencyKey} />
      <div inert={isLocked} className="flex flex-col gap-4">
        <ModeSwitches ticket={ticket} buildHref={buildHref} />
        <OutcomeButtons ticket={ticket} buildHref={buildHref} />
        {form.type === "limit" && <PriceField ticket={ticket} />}
        <SizeField ticket={ticket} quickAmounts={settings.quickAmounts} buildHref={buildHref} />
        {form.type === "limit" ? (
          <LimitOptions ticket={ticket} />
        ) : (
          <MarketOptions ticket={ticket} />
        )}
      </div>
      <EstimateList
        action={form.action}
        order={assessment.order}
        estimate={assessment.estimate}
        projection={ticket.projection}
        context={ticket.context}
        reason={explainNoEstimate(ticket)}
      />
      <Notices ticket={ticket} />
      {/* The result of the last attempt is next to the button, which a sheet keeps visible. */}
      <div className={`flex flex-col gap-3 ${isInSheet ? FOOT : ""}`}>
        {placement.refusal !== null && (
          <div data-refusal="" tabIndex={-1} className={FOCUSABLE_NOTICE}>
            <Callout tone="danger" role="alert">
              <MaskedText text={placement.refusal} />
            </Callout>
          </div>
        )}
        <UnknownNotice placement={placement} />
        <SubmitPart
          ticket={ticket}
          isLocked={isLocked}
          isWorking={phase.kind === "placing" || (phase.kind === "unknown" && phase.isChecking)}
          isReviewed={isReviewed}
          progress={placement.progress}
        >
          <ReviewChoice
            isOn={reviewsOrders}
            hasOrdered={ticket.account.data.hasOrdered}
            onChange={setReviewsOrders}
          />
        </SubmitPart>
      </div>
    </form>
  );
}

/** Spans the sheet's full width. */
const FOOT = "sticky bottom-0 -mx-4 -mb-4 border-t border-border bg-surface px-4 pt-3 pb-4";

/** Further fields for the review page that is used without JavaScript. */
function HiddenFields({ ticket, idempotencyKey }: { ticket: Ticket; idempotencyKey: string }) {
  const { form, market } = ticket;
  return (
    <>
      <input type="hidden" name="token" value={market.outcomes[form.outcome].tokenId} />
      <input type="hidden" name="side" value={form.action === "BUY" ? "buy" : "sell"} />
      <input type="hidden" name="type" value={form.type} />
      <input type="hidden" name="unit" value={form.unit} />
      <input type="hidden" name="key" value={idempotencyKey} />
    </>
  );
}

function createHrefBuilder({ form, market }: Ticket, keptQuery: Props["keptQuery"]): BuildHref {
  return (choice) => {
    const next = { ...form, ...choice };
    const query = new URLSearchParams({
      ...keptQuery,
      token: market.outcomes[next.outcome].tokenId,
      side: next.action === "BUY" ? "buy" : "sell",
      type: next.type,
      unit: next.unit,
    });
    return `?${query.toString()}#ticket`;
  };
}

/** Explains a missing estimate, unless the field itself already shows the issue. */
function explainNoEstimate(ticket: Ticket): string | null {
  const issue = findUnplaceable(ticket.assessment.issues);
  const isShown = issue?.field != null && findShownIssue(ticket, issue.field) === issue;
  return issue && !isShown ? describeIssue(issue) : null;
}

/** Moves the focus to the field or notice of a refusal, once a closing review has returned it. */
function useFocusOnRefusal(formRef: RefObject<HTMLFormElement | null>, refusal: unknown): void {
  useEffect(() => {
    if (refusal !== null) focusFirstError(formRef);
  }, [formRef, refusal]);
}

/** The errors are rendered with the next paint, at a field or for the whole order. */
function focusFirstError(formRef: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    formRef.current?.querySelector<HTMLElement>("[aria-invalid], [data-refusal]")?.focus();
  });
}

/** Ctrl+Enter submits. Esc leaves a field, so that the next key is a shortcut again. */
function handleKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.currentTarget.requestSubmit();
  }
  if (event.key === "Escape" && event.target instanceof HTMLInputElement) event.target.blur();
}

/** The notice of an order whose response was lost. The ticket is locked until the outcome is known. */
function UnknownNotice({ placement }: { placement: Placement }) {
  const { phase } = placement;
  if (phase.kind !== "unknown") return null;
  return (
    <Callout tone="warn" role="alert" title={UNKNOWN_TEXT}>
      {phase.isChecking ? (
        <p className="mt-1 flex items-center gap-2 text-text-2">
          <Spinner /> Checking…
        </p>
      ) : (
        <>
          <p className="mt-1 text-text-2">
            We haven&rsquo;t seen it yet. It&rsquo;s safe to try again: the order is placed only
            once.
          </p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={placement.checkAgain}>Check again</Button>
            <Button onClick={placement.retry}>Retry safely</Button>
          </div>
        </>
      )}
    </Callout>
  );
}
