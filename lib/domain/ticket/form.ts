import { formatCents, readPrice, snapPrice, stepPrice } from "@/lib/domain/ticket/price-field";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { Price } from "@/lib/units";

export type OrderType = "market" | "limit";
/** When a limit order expires: never, at the end of the day, or at a chosen time. */
/** The expiries with their labels. */
export const EXPIRIES = [
  ["never", "Until canceled"],
  ["today", "Today"],
  ["time", "Custom"],
] as const;
export type Expiry = (typeof EXPIRIES)[number][0];

export function isExpiry(text: string): text is Expiry {
  return EXPIRIES.some(([expiry]) => expiry === text);
}
export type SizeField = "amount" | "shares";
export type TextField = SizeField | "price" | "expires";
/** Fields that are on or off. */
export type OptionField = "postOnly" | "fillOrKill";
export type TicketField = TextField | OptionField;

/** Whether a field is typed, not switched. */
export function isTextField(field: TicketField): field is TextField {
  return field !== "postOnly" && field !== "fillOrKill";
}

/** The fields of the ticket as the user typed them. */
export interface TicketForm {
  outcome: OutcomeIndex;
  action: Action;
  type: OrderType;
  /** The field that sizes a market buy. All other orders are sized in shares. */
  unit: SizeField;
  /** USDC to spend on shares. The fee is on top. */
  amount: string;
  shares: string;
  /** Limit price in cents. */
  price: string;
  expiry: Expiry;
  /** The chosen time of expiry. Date and time in the user's zone, as in a datetime-local field: 2026-11-24T12:00. */
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
  /** The server's refusal of the order, at its field. It disappears with the next change. */
  refused: { field: TextField; text: string } | null;
}

/** The choices that are links without JavaScript. */
export type Choice = Partial<Pick<TicketForm, "outcome" | "action" | "type" | "unit">>;

export type FormEvent =
  | { kind: "choose"; choice: Choice }
  | { kind: "type"; field: TextField; text: string }
  | { kind: "switch"; option: OptionField; isOn: boolean }
  | { kind: "expire"; expiry: Expiry }
  /**
   * Restores a draft as a whole. A draft is ignored if the ticket is filled in already, or if the URL
   * asks for another kind of order.
   */
  | { kind: "restore"; draft: Draft; isAskedFor: boolean }
  /**
   * Takes over a buy that was typed for another market of the event: its type and size, not its price.
   * It is ignored if the ticket is filled in already or sells.
   */
  | { kind: "adopt"; draft: Draft }
  | { kind: "leave"; field: TextField; tick: Price }
  /** The form is submitted, so all errors are shown. */
  | { kind: "send" }
  | { kind: "refuse"; field: TextField; text: string }
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
  "unit",
  "amount",
  "shares",
  "price",
  "expiry",
  "expires",
  "postOnly",
  "fillOrKill",
] as const;

/** Encodes the draft of a form as JSON. */
export function encodeDraft(form: TicketForm): string {
  return JSON.stringify(form, [...DRAFT_FIELDS]);
}

/** Field states of a form that the user has not touched. */
const UNTOUCHED = {
  shown: [],
  roundedTo: null,
  taken: null,
  isSwitched: false,
  refused: null,
} as const;

export const EMPTY_FORM: TicketForm = {
  outcome: 0,
  action: "BUY",
  type: "market",
  unit: "amount",
  amount: "",
  shares: "",
  price: "",
  expiry: "never",
  expires: "",
  postOnly: false,
  fillOrKill: false,
  ...UNTOUCHED,
};

/** Returns the field that sizes an order. Only a market buy can be sized in USDC. */
export function chooseSizeField({
  action,
  type,
  unit,
}: Pick<TicketForm, "action" | "type" | "unit">): SizeField {
  return action === "BUY" && type === "market" ? unit : "shares";
}

export function reduceForm(form: TicketForm, event: FormEvent): TicketForm {
  switch (event.kind) {
    case "choose":
      return { ...form, ...event.choice, ...UNTOUCHED };
    case "type":
      return { ...withText(form, event.field, event.text), shown: without(form, event.field) };
    case "switch":
      return { ...form, [event.option]: event.isOn, refused: null };
    case "expire":
      return { ...form, expiry: event.expiry, shown: without(form, "expires"), refused: null };
    case "restore": {
      const { draft, isAskedFor } = event;
      const isFilled = form.amount !== "" || form.shares !== "" || form.price !== "";
      const isSame = draft.action === form.action && draft.type === form.type;
      if (isFilled || draft.outcome !== form.outcome || (isAskedFor && !isSame)) return form;
      return { ...form, ...draft };
    }
    case "adopt": {
      const { type, unit, amount, shares } = event.draft;
      const isFilled = form.amount !== "" || form.shares !== "" || form.price !== "";
      const isBuy = event.draft.action === "BUY" && form.action === "BUY";
      return isFilled || !isBuy ? form : { ...form, type, unit, amount, shares };
    }
    case "leave":
      return leave(form, event.field, event.tick);
    case "send":
      return { ...form, shown: [chooseSizeField(form), "price", "expires"], refused: null };
    case "refuse":
      return { ...form, refused: { field: event.field, text: event.text } };
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
  const next = { ...form, [field]: text, refused: null };
  return field === "price" ? { ...next, roundedTo: null, taken: null } : next;
}

const without = (form: TicketForm, field: TextField) =>
  form.shown.filter((other) => other !== field);
