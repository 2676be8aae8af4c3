import { centsText, readPrice, snapPrice, stepPrice } from "@/lib/domain/ticket/price-field";
import type { Action, OutcomeIndex } from "@/lib/domain/settlement";
import type { Price } from "@/lib/units";

export type OrderType = "market" | "limit";
export type SizeField = "amount" | "shares";
export type TextField = SizeField | "price";

/** What the ticket's user has chosen and typed, as typed. */
export interface TicketForm {
  outcome: OutcomeIndex;
  action: Action;
  type: OrderType;
  /** USDC to spend. */
  amount: string;
  shares: string;
  /** Limit price in cents. */
  price: string;
  /** Fields whose errors are shown: left, or sent, since they were last changed. */
  shown: readonly TextField[];
  /** Set when leaving the field moved the price onto the grid. */
  roundedTo: Price | null;
  /** The row of the book that set the price, until something else does. */
  taken: Price | null;
  /** A row of the other outcome's book turned the ticket to it, and nothing was chosen since. */
  isTurned: boolean;
}

export type FormEvent =
  | { kind: "choose"; choice: Partial<Pick<TicketForm, "outcome" | "action" | "type">> }
  | { kind: "type"; field: TextField; text: string }
  /**
   * What was typed before comes back, whole or not at all: never as another order. It stays away
   * when the ticket is filled in already, or when the page's address asks for something else.
   */
  | { kind: "restore"; draft: Draft; isAskedFor: boolean }
  | { kind: "leave"; field: TextField; tick: Price }
  /** Somebody wants to send it: everything that is wrong is shown. */
  | { kind: "send" }
  | { kind: "step"; ticks: number; tick: Price; start: Price }
  /**
   * A row of an outcome's book: the first click sets outcome and price, a second one the shares up
   * to the row.
   */
  | { kind: "take"; outcome: OutcomeIndex; price: Price; shares: string }
  /** Done: the next order starts with the sizes empty. */
  | { kind: "clear" };

/** An order as far as it was typed. */
export type Draft = Pick<TicketForm, "outcome" | "action" | "type" | "amount" | "shares" | "price">;

export const EMPTY_FORM: TicketForm = {
  outcome: 0,
  action: "BUY",
  type: "market",
  amount: "",
  shares: "",
  price: "",
  shown: [],
  roundedTo: null,
  taken: null,
  isTurned: false,
};

/** What is said of fields as long as nobody has done anything to them. */
const UNTOUCHED = { shown: [], roundedTo: null, taken: null, isTurned: false } as const;

/** The field that sizes an order: only a market buy is sized in money. */
export function sizeField({ action, type }: Pick<TicketForm, "action" | "type">): SizeField {
  return action === "BUY" && type === "market" ? "amount" : "shares";
}

export function reduceForm(form: TicketForm, event: FormEvent): TicketForm {
  switch (event.kind) {
    case "choose":
      return { ...form, ...event.choice, ...UNTOUCHED };
    case "type":
      return { ...withText(form, event.field, event.text), shown: without(form, event.field) };
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
      return { ...form, shown: [sizeField(form), "price"] };
    case "step": {
      const reading = readPrice(form.price, event.tick);
      return { ...withText(form, "price", centsText(stepPrice(reading, event))), shown: [] };
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
  return snapped === null ? left : { ...left, price: centsText(snapped), roundedTo: snapped };
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
    price: centsText(price),
    ...(isSecond ? { shares } : {}),
    taken: price,
    isTurned: isOther || form.isTurned,
  };
}

function withText(form: TicketForm, field: TextField, text: string): TicketForm {
  const next = { ...form, [field]: text };
  return field === "price" ? { ...next, roundedTo: null, taken: null } : next;
}

const without = (form: TicketForm, field: TextField) =>
  form.shown.filter((other) => other !== field);
