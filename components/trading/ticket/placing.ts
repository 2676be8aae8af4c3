import type { Dispatch, RefObject, SetStateAction } from "react";
import { formatRefusal } from "@/components/format/format-refusal";
import { type CancelActions, NO_RESPONSE } from "@/components/orders/cancel-report";
import { createReview, type Reviewed } from "@/components/trading/ticket/review";
import {
  type Clock,
  describeBlock,
  describeClosed,
  describeIssue,
} from "@/components/trading/wording";
import {
  createAcceptedToast,
  createCancelToast,
  createCancelingToast,
  createCheckingToast,
  createOrderToast,
  createRejectedToast,
  describeSuccess,
} from "@/components/trading/ticket/toasts";
import { fetchData, markUnsentOrder } from "@/lib/browser/fetcher";
import {
  fetchPlacement,
  pollPlacement,
  followOrder,
  isSettled,
  type OrderRecordWire,
  refreshAccountReads,
} from "@/lib/browser/follow-order";
import { createIdempotencyKey } from "@/lib/browser/idempotency-key";
import {
  createTicketId,
  dropPending,
  storePending,
  type PendingOrder,
} from "@/lib/browser/pending-order";
import { showToast, type Toast } from "@/lib/browser/toasts";
import { buildBookUrl, type OrderBookWire } from "@/lib/browser/use-book";
import type { Ticket } from "@/lib/browser/use-ticket";
import { buildTicketAccountUrl } from "@/lib/browser/use-ticket-account";
import { type Assessment, assess } from "@/lib/domain/ticket/assess";
import type { TicketOrder } from "@/lib/domain/ticket/context";
import {
  chooseSizeField,
  isTextField,
  type TextField,
  type TicketField,
} from "@/lib/domain/ticket/form";
import { toPayload } from "@/lib/domain/ticket/payload";
import { toContext } from "@/lib/domain/ticket/wire";
import type {
  PlacementStateWire,
  PlaceResult,
  TicketAccountWire,
  TicketOrderInput,
} from "@/lib/schemas/ticket";
import type { ErrorCode } from "@/lib/errors";
import { hasMovedAgainst } from "@/lib/domain/ticket/must-review";

/** The phase of placing an order. */
export type Phase =
  | { kind: "editing" }
  | { kind: "reviewing" | "placing"; reviewed: Reviewed }
  | { kind: "unknown"; pending: PendingOrder; isChecking: boolean };

/** The state of an accepted order, which the submit button shows for a while. */
export type Progress = { orderId: string } & ({ kind: "waiting" } | { kind: "done"; text: string });

/** The server actions of the ticket. */
export interface TicketActions {
  place: (input: TicketOrderInput) => Promise<PlaceResult>;
  cancel: CancelActions["cancelNow"];
  saveReview: (isOn: boolean) => Promise<void>;
}

/** The ticket's state and callbacks for placing an order. */
export interface PlacementContext {
  ticket: Ticket;
  actions: TicketActions;
  /** The idempotency key of the current order; replaced once its outcome is known. */
  key: RefObject<string>;
  clock: Clock;
  setPhase: (phase: Phase) => void;
  setRefusal: (refusal: string | null) => void;
  setProgress: Dispatch<SetStateAction<Progress | null>>;
  /** Shows an accepted order. `update` replaces the toast of the same order. */
  announce: (toast: Toast) => void;
  update: (toast: Toast) => void;
  /** Renders the page again, for account data that doesn't refresh itself. */
  refreshPage: () => void;
}

/** After this time without a response, the outcome is unknown. */
const RESPONSE_TIMEOUT_MS = 10_000;
/** An order that hasn't arrived by then is lost: no proxy holds a request for so long. */
const LOST_AFTER_MS = 120_000;
const LOST_TEXT = "Your order never reached the exchange and wasn’t placed.";
const UNREADABLE_PRICES = "We couldn’t check prices, so your order wasn’t placed. Try again.";

/** Places a reviewed order. If prices have moved against it, opens the review again instead. */
export async function placeReviewed(context: PlacementContext, reviewed: Reviewed): Promise<void> {
  const { ticket, key, setPhase } = context;
  const fresh = await reassess(ticket).catch(() => null);
  if (!fresh) return finish(context, UNREADABLE_PRICES);
  if (fresh.block === "not_accepting") {
    return finish(context, toRefusal(describeClosed(ticket.market.closesAt, context.clock)));
  }
  if (fresh.block === "frozen") return finish(context, toRefusal(describeBlock("frozen")));
  const current = createReview(fresh, ticket.context);
  if (!current) {
    const [issue] = fresh.issues;
    return finish(
      context,
      issue ? toRefusal(describeIssue(issue)) : UNREADABLE_PRICES,
      issue?.field,
    );
  }
  const [shown, now] = [reviewed.estimate?.average, current.estimate?.average];
  if (shown && now && hasMovedAgainst(reviewed.order.action, shown, now)) {
    return setPhase({ kind: "reviewing", reviewed: { ...current, movedFrom: shown } });
  }
  const input = { ...toInput(reviewed.order, ticket), idempotencyKey: key.current };
  markUnsentOrder(false);
  await send(context, input);
}

/** Sends an order. With the same key, it is placed only once. */
export async function send(context: PlacementContext, input: TicketOrderInput): Promise<void> {
  const pending = { input, sentAt: Date.now() };
  storePending(createTicketId(context.ticket), pending);
  const result = await awaitResult(context.actions.place(input));
  if (result.outcome === "accepted") return accept(context, input, result.orderId);
  if (result.outcome === "refused") {
    dropPending(createTicketId(context.ticket), input.idempotencyKey);
    return finish(
      context,
      toRefusal(formatRefusal(result.message, context.clock)),
      chooseRefusedField(result.code, context),
    );
  }
  await recover(context, pending);
}

/** Looks up an order whose response was lost, or that was pending during a reload. */
export async function recover(context: PlacementContext, pending: PendingOrder): Promise<void> {
  context.setPhase({ kind: "unknown", pending, isChecking: true });
  showToast(createCheckingToast(pending.input));
  resolve(context, await pollPlacement(pending.input.idempotencyKey), pending);
}

/** Looks up a pending order once. */
export async function check(context: PlacementContext, pending: PendingOrder): Promise<void> {
  const state = await fetchPlacement(pending.input.idempotencyKey).catch(() => null);
  resolve(context, state, pending);
}

/** Continues with the state of a pending order; null if the service could not be reached. */
export function resolve(
  context: PlacementContext,
  state: PlacementStateWire | null,
  pending: PendingOrder,
): void {
  const { input, sentAt } = pending;
  if (state?.state === "accepted") return accept(context, input, state.orderId);
  const isLost = state?.state === "none" && Date.now() - sentAt > LOST_AFTER_MS;
  const refused =
    state?.state === "refused" ? toRefusal(formatRefusal(state.message, context.clock)) : null;
  const refusal = refused ?? (isLost ? LOST_TEXT : null);
  if (refusal === null) return context.setPhase({ kind: "unknown", pending, isChecking: false });
  dropPending(createTicketId(context.ticket), input.idempotencyKey);
  context.update(createRejectedToast(input, refusal));
  finish(context, refusal);
}

function accept(context: PlacementContext, input: TicketOrderInput, orderId: string): void {
  const { market } = context.ticket;
  context.announce(createAcceptedToast(input, market));
  context.setProgress({ kind: "waiting", orderId });
  // The button may already show a later order, or none after the user changed the form.
  const endWaiting = (next: Progress | null) =>
    context.setProgress((shown) =>
      shown?.orderId === orderId && shown.kind === "waiting" ? next : shown,
    );
  const marketWithClock = { ...market, clock: context.clock };
  const showRecord = (record: OrderRecordWire) => {
    context.update(
      createOrderToast(record, marketWithClock, () => void cancelResting(context, record)),
    );
    const text = describeSuccess(record, marketWithClock);
    if (isSettled(record.status)) {
      endWaiting(text === null ? null : { kind: "done", text, orderId });
    }
  };
  const follow = async () => {
    await followOrder(orderId, showRecord, () => updateAccount(context));
    endWaiting(null);
    // Until now, a reload of the page had to recover the order again.
    dropPending(createTicketId(context.ticket), input.idempotencyKey);
  };
  void follow();
  context.ticket.dispatch({ kind: "clear" });
  finish(context, null);
}

/** Cancels an open order and shows the result. */
async function cancelResting(context: PlacementContext, record: OrderRecordWire): Promise<void> {
  // The button may still say that the order is open.
  context.setProgress((shown) => (shown?.orderId === record.id ? null : shown));
  context.update(createCancelingToast(record, context.ticket.market));
  const report = await context.actions.cancel([record.id]).catch(() => NO_RESPONSE);
  await updateAccount(context);
  const { market } = context.ticket;
  context.update(
    createCancelToast(record, market, report, () => void cancelResting(context, record)),
  );
}

/**
 * Brings the account's figures on the page up to date. What the page renders on the server is no figure of
 * the order, so nothing waits for it.
 */
async function updateAccount({ refreshPage }: PlacementContext): Promise<void> {
  refreshPage();
  await refreshAccountReads();
}

/** Returns the field that a refusal of the server is about, or null. */
function chooseRefusedField(code: string, { ticket }: PlacementContext): TextField | null {
  if (PRICE_CODES.has(code)) return ticket.form.type === "limit" ? "price" : null;
  return SIZE_CODES.has(code) ? chooseSizeField(ticket.form) : null;
}

const PRICE_CODES: ReadonlySet<string> = new Set([
  "PRICE_OFF_TICK",
  "INVALID_TICK_SIZE",
] satisfies ErrorCode[]);
const SIZE_CODES: ReadonlySet<string> = new Set([
  "INSUFFICIENT_BALANCE",
  "INSUFFICIENT_SHARES",
  "ORDER_TOO_SMALL",
  "PRECISION_TOO_HIGH",
  "RISK_LIMIT_EXCEEDED",
] satisfies ErrorCode[]);

/**
 * The order's outcome is known, so the next order gets a new key. A refusal is shown at its field, or
 * above the button.
 */
function finish(
  context: PlacementContext,
  refusal: string | null,
  field: TicketField | null = null,
): void {
  context.key.current = createIdempotencyKey();
  const isOfField = refusal !== null && field !== null && isTextField(field);
  if (isOfField) context.ticket.dispatch({ kind: "refuse", field, text: refusal });
  context.setRefusal(isOfField ? null : refusal);
  context.setPhase({ kind: "editing" });
  void refreshAccountReads();
}

/** Assesses the ticket at current prices and balances. */
async function reassess({ form, facts, market }: Ticket): Promise<Assessment> {
  const target = { marketId: market.id, tokenId: market.outcomes[0].tokenId };
  const [book, account] = await Promise.all([
    fetchData<OrderBookWire>(buildBookUrl(target)),
    fetchData<TicketAccountWire>(buildTicketAccountUrl(market.id)),
  ]);
  return assess(
    form,
    toContext({ ...facts, book, account, isBookDead: false, now: Date.now() }, form.outcome),
  );
}

/** After a timeout or a failed request, the outcome is unknown. */
async function awaitResult(result: Promise<PlaceResult>): Promise<PlaceResult> {
  const unknown = { outcome: "unknown" } as const;
  const timeout = new Promise<PlaceResult>((settle) => {
    setTimeout(() => settle(unknown), RESPONSE_TIMEOUT_MS);
  });
  return Promise.race([result.catch(() => unknown), timeout]);
}

function toInput(order: TicketOrder, { market, form }: Ticket) {
  const { tokenId } = market.outcomes[form.outcome];
  return { tokenId, tickSize: market.tickSize, ...toPayload(order) };
}

/** Validation messages are clauses, all others are sentences. */
const toRefusal = (message: string) =>
  message.endsWith(".") ? `${message} Your order wasn’t placed.` : `Order rejected: ${message}.`;
