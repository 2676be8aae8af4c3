"use client";

import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useFormStatus } from "react-dom";
import { MaskedText } from "@/components/format/masked-text";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { Masked, Money, Price as PriceText } from "@/components/format/values";
import { RefusalText } from "@/components/format/refusal-text";
import { describeEditEffect, isCrossing } from "@/components/orders/edit-effect";
import { parseTick, readPriceField, readSharesField } from "@/components/orders/edit-fields";
import { describeReplacement } from "@/components/orders/replace-report";
import { type ActionState, type FormAction, useActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { canRepeat, type ReplaceResult } from "@/lib/domain/order-replacement";
import { formatCents, readPrice, stepPrice } from "@/lib/domain/ticket/price-field";
import {
  microToNumber,
  notional,
  ONE,
  parseMicro,
  type Price,
  price as toPrice,
  type Shares,
  shares as toShares,
} from "@/lib/units";

/** A question that the user must confirm before an order changes, because the new one fills immediately. */
export interface EditQuestion {
  /** The fill and its cost, as sentences. */
  text: string;
  /** The terms as they were typed. */
  typed: TypedTerms;
  /** The terms and the price that the form sends as the confirmation. */
  confirmation: string;
}

/** The state of the form: idle, refused, to be confirmed, or what became of the change. */
export type EditState =
  | ActionState
  | { status: "asked"; question: EditQuestion }
  | { status: "replaced"; result: ReplaceResult }
  /** The request got no response, so it may have done anything. */
  | { status: "unanswered" };

/** The fields of the order that the form shows. */
export interface EditedOrder {
  id: string;
  action: "BUY" | "SELL";
  /** The outcome's name: Yes, or a team's. */
  outcome: string;
  price: number | null;
  shares: number | null;
  filledShares: number;
  tickSize: string;
  postOnly: boolean;
  /** The best price on the other side of the book: the ask for a buy, the bid for a sell. */
  marketPrice: number | null;
}

interface Props {
  order: EditedOrder;
  /** The idempotency key of the new order, the same for every repeat. */
  formKey: string;
  action: FormAction<EditState>;
  /** The outcome of an earlier attempt with this key; null if there was none. */
  started?: ReplaceResult | null;
  /** Called once the change has an outcome that a repeat can't improve. */
  onDone?: (result: ReplaceResult, terms: string) => void;
  /** The button or link that leaves the order as it is. */
  leave: ReactNode;
  /** Whether the price gets the focus when the form appears. */
  takesFocus?: boolean;
  /** The market's prices and the effect on the account, in place of the two figures beside the fields. */
  facts?: { market: ReactNode; account: ReactNode } | null;
  /** Called with the terms of the fields when they change. */
  onEnter?: (entered: EnteredTerms) => void;
}

/** The terms of the fields, each null while its field has a mistake. */
export interface EnteredTerms {
  at: Price | null;
  size: Shares | null;
}

const UNANSWERED =
  "The service didn’t respond. The order may have been changed. You can safely try again: it’s changed only once.";

/** Ticks that a key moves the price by. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** The price and size of an open order, to change. Works without JavaScript. */
export function EditOrderForm({
  order,
  formKey,
  action,
  started = null,
  onDone,
  leave,
  takesFocus = false,
  facts = null,
  onEnter,
}: Props) {
  const { state, submit, failure, getError, getText } = useActionForm<EditState>(action);
  const ids = { price: useId(), shares: useId() };
  const question = state.status === "asked" ? state.question : null;
  const [typed, setTyped] = useState<TypedTerms>(
    // Without JavaScript, the question or the refusal comes with a new page.
    question?.typed ?? {
      price: getText("price", toCentsText(order.price)),
      shares: getText("shares", toText(order.shares)),
    },
  );
  const result = state.status === "replaced" ? state.result : started;
  const phrase = describeTerms(order, typed);
  const latest = useRef({ onDone, phrase });
  useEffect(() => {
    latest.current = { onDone, phrase };
  });
  useEffect(() => {
    if (result && !canRepeat(result)) latest.current.onDone?.(result, latest.current.phrase);
  }, [result]);
  // The same terms and key can be sent again, but no others.
  const isStarted =
    state.status === "unanswered" || (result !== null && (canRepeat(result) || !onDone));
  const report = result && describeReplacement(result, phrase, order);
  // Other terms need another answer.
  const asked = question && isSameTerms(question.typed, typed) ? question : null;
  const entered = readFields(typed, order);
  const terms = toTerms(entered);
  // The server refuses more than the fields can tell: the market's tick or the free shares have changed.
  const errors = {
    price: getError("price") ?? entered.price.problem,
    shares: getError("shares") ?? entered.shares.problem,
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The whole form, which on a phone opens below the part of the list that shows.
    if (takesFocus) form.current?.scrollIntoView({ block: "nearest" });
  }, [takesFocus]);
  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);
  const effect =
    terms.at === null || asked || isStarted ? null : describeEditEffect(order, terms.at);
  const change = (name: keyof typeof typed) => (text: string) => {
    const next = { ...typed, [name]: text };
    setTyped(next);
    onEnter?.(toTerms(readFields(next, order)));
  };
  return (
    <form
      ref={form}
      action={submit}
      className="flex flex-col gap-3"
      aria-label={`Edit ${nameOrder(order)}`}
    >
      <input type="hidden" name="orderId" value={order.id} />
      <input type="hidden" name="key" value={formKey} />
      {isStarted && (
        <Callout tone={report?.tone ?? "warn"} role="alert">
          <RefusalText message={report?.text ?? UNANSWERED} />
        </Callout>
      )}
      {failure?.field === null && isSameTerms(failure.values, typed) && (
        <Refusal message={failure.message} />
      )}
      {facts?.market}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Field label="Price (¢)" htmlFor={ids.price}>
          <PriceStepper
            id={ids.price}
            error={errors.price}
            order={order}
            text={getText("price", typed.price)}
            isReadOnly={isStarted}
            takesFocus={takesFocus}
            onType={change("price")}
          />
        </Field>
        <Field
          label="Shares"
          htmlFor={ids.shares}
          {...(order.filledShares > 0 && {
            help: <FilledNote filled={order.filledShares} />,
          })}
        >
          <input
            {...describedBy(ids.shares, {
              error: errors.shares,
              help: order.filledShares > 0,
            })}
            name="shares"
            inputMode="decimal"
            autoComplete="off"
            readOnly={isStarted}
            defaultValue={getText("shares", typed.shares)}
            onInput={(event) => change("shares")(event.currentTarget.value)}
            className="control w-28 text-right sm:w-32"
          />
        </Field>
        {/* In a line of its own, so that no field moves. Screen readers read it once typing pauses. */}
        <div
          role="status"
          className="flex w-full flex-col gap-1 text-small empty:hidden sm:order-last"
        >
          <FieldError id={ids.price} error={errors.price} />
          <FieldError id={ids.shares} error={errors.shares} />
          {effect !== null && <p className="text-text-2">{effect}</p>}
        </div>
        {!facts && <ShortFigures order={order} entered={terms} />}
      </div>
      {facts?.account}
      {asked && !isStarted && <Question question={asked} />}
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" pendingLabel="Saving…">
          {isStarted ? "Try again" : asked ? "Change anyway" : "Save changes"}
        </SubmitButton>
        {leave}
      </div>
    </form>
  );
}

const readFields = (typed: TypedTerms, { tickSize }: EditedOrder) => ({
  price: readPriceField(typed.price, tickSize),
  shares: readSharesField(typed.shares),
});

const toTerms = ({ price, shares }: ReturnType<typeof readFields>): EnteredTerms => ({
  at: price.value,
  size: shares.value,
});

/** A refusal of the order as a whole, until the next save begins. */
function Refusal({ message }: { message: string }) {
  const { pending } = useFormStatus();
  if (pending) return null;
  return (
    <Callout tone="danger" role="alert" title="The order wasn&rsquo;t changed.">
      <MaskedText text={message} />
    </Callout>
  );
}

function FieldError({ id, error }: { id: string; error: string | null }) {
  return (
    error !== null && (
      <p id={`${id}-error`} className="text-danger">
        <MaskedText text={error} />
      </p>
    )
  );
}

/** Asks before an order changes. It takes the focus, so that a held Enter key doesn't answer. */
function Question({ question }: { question: EditQuestion }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [question]);
  return (
    <div ref={place} tabIndex={-1}>
      <input type="hidden" name="confirmation" value={question.confirmation} />
      <Callout tone="warn" role="alert" title="The changed order fills immediately">
        <MaskedText text={question.text} />
      </Callout>
    </div>
  );
}

interface StepperProps {
  id: string;
  error: string | null;
  order: EditedOrder;
  text: string;
  isReadOnly: boolean;
  takesFocus: boolean;
  onType: (text: string) => void;
}

/** A price in cents. The buttons, which need JavaScript, and the arrow keys step along the grid. */
function PriceStepper({ id, error, order, text, isReadOnly, takesFocus, onType }: StepperProps) {
  const input = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const tick = parseTick(order.tickSize);
  useEffect(() => {
    if (!takesFocus) return;
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, [takesFocus]);
  const step = (ticks: number) => {
    if (!input.current || isReadOnly) return;
    const reading = readPrice(input.current.value, tick);
    input.current.value = formatCents(stepPrice(reading, { ticks, tick, start: readLimit(order) }));
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const ticks = KEYS[event.key];
    if (ticks === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(ticks);
  };
  const by = `by ${formatPrice(Number(order.tickSize), order.tickSize)}`;
  return (
    <div className="flex gap-1.5">
      {isHydrated && (
        <Step label={`Decrease price ${by}`} onStep={() => step(-1)}>
          <Minus aria-hidden="true" className="size-4" />
        </Step>
      )}
      <input
        {...describedBy(id, { error })}
        ref={input}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        readOnly={isReadOnly}
        defaultValue={text}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className="control w-20 text-right sm:w-24"
      />
      {isHydrated && (
        <Step label={`Increase price ${by}`} onStep={() => step(1)}>
          <Plus aria-hidden="true" className="size-4" />
        </Step>
      )}
    </div>
  );
}

function Step({
  label,
  onStep,
  children,
}: {
  label: string;
  onStep: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onStep}
      className="grid size-11 shrink-0 touch-manipulation place-items-center rounded-control border border-control text-text-2 hover:bg-surface-2 lg:size-9"
    >
      {children}
    </button>
  );
}

function FilledNote({ filled }: { filled: number }) {
  return (
    <>
      Including <Masked>{formatShares(filled)}</Masked> filled
    </>
  );
}

interface TypedTerms {
  price: string;
  shares: string;
}

interface ShortFiguresProps {
  order: EditedOrder;
  entered: EnteredTerms;
}

/**
 * The price that fills the order, and the value of its open part at the new terms: "—" while a field has a mistake,
 * nothing if none of it stays open for sure.
 */
function ShortFigures({ order, entered: { at, size } }: ShortFiguresProps) {
  const rest = size === null ? null : size - toMicro(order.filledShares);
  const isGone = (rest !== null && rest <= 0n) || (at !== null && isCrossing(order, at));
  const value =
    rest === null || at === null
      ? null
      : notional(toShares(rest), at, order.action === "BUY" ? "up" : "down");
  return (
    <>
      <Figure label={order.action === "BUY" ? "Best offer now" : "Best bid now"}>
        <PriceText price={order.marketPrice} tickSize={order.tickSize} />
      </Figure>
      {!isGone && (
        <Figure label="Open value">
          <Money usdc={value === null ? null : microToNumber(value)} />
        </Figure>
      )}
    </>
  );
}

/** A figure beside the fields. */
function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="flex flex-col gap-1.5">
      <span className="font-[550]">{label}</span>
      {/* As tall as the fields that it is beside, which on a phone are above it. */}
      <span className="num flex items-center sm:h-11 lg:h-9">{children}</span>
    </p>
  );
}

const isSameTerms = (one: Partial<TypedTerms>, other: TypedTerms) =>
  one.price === other.price && one.shares === other.shares;

/** "buy 50 Yes at 37¢" */
function describeTerms(order: EditedOrder, { price, shares }: TypedTerms): string {
  const verb = order.action === "BUY" ? "buy" : "sell";
  return `${verb} ${shares} ${order.outcome} at ${price}¢`;
}

const nameOrder = ({ action, outcome }: EditedOrder) =>
  `${action === "BUY" ? "Buy" : "Sell"} ${outcome}`;

const readLimit = ({ price }: EditedOrder): Price =>
  price === null ? toPrice(ONE / 2n) : toPrice(toMicro(price));
const toCentsText = (at: number | null) => (at === null ? "" : formatCents(toPrice(toMicro(at))));
const toText = (size: number | null) => (size === null ? "" : String(size));

function toMicro(value: number): bigint {
  const parsed = parseMicro(String(value));
  if (!parsed.ok) throw new Error(`${value} has too many decimals`);
  return parsed.micro;
}
