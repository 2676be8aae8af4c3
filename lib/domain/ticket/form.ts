import { formatCents, readPrice, snapPrice, stepPrice } from "@/lib/domain/ticket/price-field";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { Price } from "@/lib/units";

export type OrderType = "market" | "limit";
export type SizeField = "amount" | "shares";
export type TextField = SizeField | "price" | "expires";
/** Fields that are on or off. */
export type OptionField = "postOnly" | "fillOrKill";
export type TicketField = TextField | OptionField;

/** The fields of the ticket as the user typed them. */
export interface TicketForm {
  outcome: OutcomeIndex;
  action: Action;
  type: OrderType;
  /** USDC to spend. */
  amount: string;
  shares: string;
  /** Limit price in cents. */
  price: string;
  /** Whether a limit order expires at `expires`. Otherwise it stays open until it is canceled. */
  hasExpiry: boolean;
  /** Date and time in the user's zone, as in a datetime-local field: 2026-11-24T12:00. */
  expires: string;
  /** Whether a limit order that would fill immediately is rejected. */
  postOnly: boolean;
  /** Whether a market order must fill in full or not at all. */
  fillOrKill: boolean;
  /** Fields whose errors are shown: they were left or submitted since their last change. */
  shown: readonly TextField[];
  /** Set if leaving the field rounded the price to the grid. */
  roundedTo: Price | null;
  /** The row of the book that set the price; null once something else set it. */
  taken: Price | null;
  /** Whether a row of the book switched the outcome, and the user has not chosen one since. */
  isSwitched: boolean;
}

export type FormEvent =
  | { kind: "choose"; choice: Partial<Pick<TicketForm, "outcome" | "action" | "type">> }
  | { kind: "type"; field: TextField; text: string }
  | { kind: "switch"; option: "hasExpiry" | OptionField; isOn: boolean }
  /**
   * Restores a draft as a whole. A draft is ignored if the ticket is filled in already, or if the URL
   * asks for another kind of order.
   */
  | { kind: "restore"; draft: Draft; isAskedFor: boolean }
  | { kind: "leave"; field: TextField; tick: Price }
  /** The form is submitted, so all errors are shown. */
  | { kind: "send" }
  | { kind: "step"; ticks: number; tick: Price; start: Price }
  /**
   * A click on a row of the book. The first click sets outcome and price, the second one the shares up
   * to and including the row.
   */
  | { kind: "take"; outcome: OutcomeIndex; price: Price; shares: string }
  /** The order was placed: the next one starts without a size. */
  | { kind: "clear" };

/** An unfinished order. */
export type Draft = Pick<TicketForm, (typeof DRAFT_FIELDS)[number]>;

const DRAFT_FIELDS = [
  "outcome",
  "action",
  "type",
  "amount",
  "shares",
  "price",
  "hasExpiry",
  "expires",
  "postOnly",
  "fillOrKill",
] as const;

/** Encodes the draft of a form as JSON. */
export function encodeDraft(form: TicketForm): string {
  return JSON.stringify(form, [...DRAFT_FIELDS]);
}

/** Field states of a form that the user has not touched. */
const UNTOUCHED = { shown: [], roundedTo: null, taken: null, isSwitched: false } as const;

export const EMPTY_FORM: TicketForm = {
  outcome: 0,
  action: "BUY",
  type: "market",
  amount: "",
  shares: "",
  price: "",
  hasExpiry: false,
  expires: "",
  postOnly: false,
  fillOrKill: false,
  ...UNTOUCHED,
};

/** Returns the field that sizes an order. Only a market buy is sized in USDC. */
export function chooseSizeField({ action, type }: Pick<TicketForm, "action" | "type">): SizeField {
  return action === "BUY" && type === "market" ? "amount" : "shares";
}

export function reduceForm(form: TicketForm, event: FormEvent): TicketForm {
  switch (event.kind) {
    case "choose":
      return { ...form, ...event.choice, ...UNTOUCHED };
    case "type":
      return { ...withText(form, event.field, event.text), shown: without(form, event.field) };
    case "switch":
      return { ...form, [event.option]: event.isOn, shown: without(form, "expires") };
    case "restore": {
      const { draft, isAskedFor } = event;
      const isFilled = form.amount !== "" || form.shares !== "" || form.price !== "";
      const isSame = draft.action === form.action && draft.type === form.type;
      if (isFilled || draft.outcome !== form.outcome || (isAskedFor && !isSame)) return form;
      return { ...form, ...draft };
    }
    case "leave":
      return leave(form, event.field, event.tick);
    case "send":
      return { ...form, shown: [chooseSizeField(form), "price", "expires"] };
    case "step": {
      const reading = readPrice(form.price, event.tick);
      return { ...withText(form, "price", formatCents(stepPrice(reading, event))), shown: [] };
    }
    case "take":
      return take(form, event);
    case "clear":
      return { ...form, amount: "", shares: "", ...UNTOUCHED };
  }
}

function leave(form: TicketForm, field: TextField, tick: Price): TicketForm {
  const left = { ...form, shown: [...without(form, field), field] };
  if (field !== "price") return left;
  const snapped = snapPrice(readPrice(form.price, tick), form.action);
  return snapped === null ? left : { ...left, price: formatCents(snapped), roundedTo: snapped };
}

function take(
  form: TicketForm,
  { outcome, price, shares }: Extract<FormEvent, { kind: "take" }>,
): TicketForm {
  const isOther = outcome !== form.outcome;
  const isSecond = form.type === "limit" && form.taken === price && !isOther;
  return {
    ...form,
    ...UNTOUCHED,
    outcome,
    type: "limit",
    price: formatCents(price),
    ...(isSecond ? { shares } : {}),
    taken: price,
    isSwitched: isOther || form.isSwitched,
  };
}

function withText(form: TicketForm, field: TextField, text: string): TicketForm {
  const next = { ...form, [field]: text };
  return field === "price" ? { ...next, roundedTo: null, taken: null } : next;
}

const without = (form: TicketForm, field: TextField) =>
  form.shown.filter((other) => other !== field);
