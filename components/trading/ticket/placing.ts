import type { RefObject } from "react";
import { type CancelActions, NO_ANSWER } from "@/components/orders/cancel-report";
import { type Clock, closedText } from "@/components/trading/ticket/wording";
import {
  acceptedToast,
  canceledToast,
  cancelingToast,
  checkingToast,
  orderToast,
  refusedToast,
} from "@/components/trading/ticket/toasts";
import { fetchData } from "@/lib/client/fetcher";
import {
  findPlaced,
  followOrder,
  type OrderRecordWire,
  refreshAccountReads,
} from "@/lib/client/follow-order";
import { newIdempotencyKey } from "@/lib/client/idempotency-key";
import { dropPending, keepPending, type PendingOrder } from "@/lib/client/pending-order";
import { showToast, type Toast } from "@/lib/client/toasts";
import { bookUrl, type OrderBookWire } from "@/lib/client/use-book";
import type { Ticket } from "@/lib/client/use-ticket";
import { ticketAccountUrl } from "@/lib/client/use-ticket-account";
import { type Assessment, assess } from "@/lib/domain/ticket/assess";
import type { TicketFunds, TicketOrder } from "@/lib/domain/ticket/context";
import { type Estimate, hasMovedAgainst } from "@/lib/domain/ticket/estimate";
import type { TicketWarning } from "@/lib/domain/ticket/issues";
import { toPayload } from "@/lib/domain/ticket/payload";
import { type Projection, project } from "@/lib/domain/ticket/projection";
import { contextOf } from "@/lib/domain/ticket/wire";
import type {
  PlacementStateWire,
  PlaceResult,
  TicketAccountWire,
  TicketOrderInput,
} from "@/lib/schemas/ticket";
import type { Price } from "@/lib/units";

/** What the user is asked to confirm: it stands still while it is read. */
export interface Reviewed {
  order: TicketOrder;
  estimate: Estimate | null;
  projection: Projection | null;
  warnings: readonly TicketWarning[];
  /** Sent straight from the fields: nothing opens unless something has to be asked. */
  isDirect: boolean;
  /** The average that was shown before, when the price has moved away from it. */
  movedFrom: Price | null;
}

/** Where an order is on its way from the fields to the exchange. */
export type Phase =
  | { kind: "editing" }
  | { kind: "reviewing" | "placing"; reviewed: Reviewed }
  | { kind: "unknown"; pending: PendingOrder; isChecking: boolean };

/** What the ticket asks the server to do. */
export interface TicketActions {
  place: (input: TicketOrderInput) => Promise<PlaceResult>;
  cancel: CancelActions["cancelNow"];
}

/** Names what a ticket is for: one account in one market. */
export const ticketIdOf = ({ mode, market }: Ticket) => `${mode}/${market.id}`;

/** What placing an order works with. */
export interface Desk {
  ticket: Ticket;
  actions: TicketActions;
  /** The key of the order in the fields; a new one once that order's fate is known. */
  key: RefObject<string>;
  clock: Clock;
  setPhase: (phase: Phase) => void;
  setRefusal: (refusal: string | null) => void;
  /** An accepted order's news; later news of the same order take the place of the first. */
  announce: (news: Toast) => void;
  update: (news: Toast) => void;
  /** Renders the page anew: what it shows of the account besides the live reads. */
  refreshPage: () => void;
}

/** Longer than this without an answer, and nobody knows whether the order has arrived. */
const ANSWER_WITHIN_MS = 10_000;
/** What has not arrived by then was lost on its way: nothing keeps a request for so long. */
const LOST_AFTER_MS = 120_000;
const LOST_TEXT = "That order never reached the exchange. Nothing was placed.";
const UNREADABLE_PRICES = "Prices can't be checked right now. Nothing was placed. Try again.";

/** The order that the fields describe, if there is one and nothing stands in its way. */
export function reviewOf(assessment: Assessment, funds: TicketFunds | null): Reviewed | null {
  const { order, estimate, issues, block, warnings } = assessment;
  if (!order || issues.length > 0 || block) return null;
  const projection = estimate ? project(order, estimate, funds) : null;
  return { order, estimate, projection, warnings, isDirect: false, movedFrom: null };
}

/** Places a reviewed order, unless prices have moved against it: then it is shown again. */
export async function placeReviewed(desk: Desk, reviewed: Reviewed): Promise<void> {
  const { ticket, key, setPhase } = desk;
  setPhase({ kind: "placing", reviewed });
  const fresh = await reassess(ticket).catch(() => null);
  if (!fresh) return end(desk, UNREADABLE_PRICES);
  if (fresh.block === "not_accepting") {
    return end(desk, rejected(closedText(ticket.market.closesAt, desk.clock)));
  }
  const current = reviewOf(fresh, ticket.context.funds);
  if (!current) {
    ticket.dispatch({ kind: "send" });
    return setPhase({ kind: "editing" });
  }
  const [shown, now] = [reviewed.estimate?.average, current.estimate?.average];
  if (shown && now && hasMovedAgainst(reviewed.order.action, shown, now)) {
    return setPhase({ kind: "reviewing", reviewed: { ...current, movedFrom: shown } });
  }
  await send(desk, { ...inputOf(reviewed.order, ticket), idempotencyKey: key.current });
}

export async function send(desk: Desk, input: TicketOrderInput): Promise<void> {
  const pending = { input, sentAt: Date.now() };
  keepPending(ticketIdOf(desk.ticket), pending);
  const result = await answerOf(desk.actions.place(input));
  if (result.outcome === "accepted") return accept(desk, input, result.orderId);
  if (result.outcome === "refused") {
    dropPending(ticketIdOf(desk.ticket), input.idempotencyKey);
    return end(desk, rejected(result.message));
  }
  await find(desk, pending);
}

/** Finds out what became of an order whose answer got lost, or was left behind by a reload. */
export async function find(desk: Desk, pending: PendingOrder): Promise<void> {
  desk.setPhase({ kind: "unknown", pending, isChecking: true });
  showToast(checkingToast(pending.input));
  conclude(desk, await findPlaced(pending.input.idempotencyKey), pending);
}

/** Goes on with what became known of such an order; null when nobody could be asked. */
export function conclude(
  desk: Desk,
  state: PlacementStateWire | null,
  pending: PendingOrder,
): void {
  const { input, sentAt } = pending;
  if (state?.state === "accepted") return accept(desk, input, state.orderId);
  const isLost = state?.state === "none" && Date.now() - sentAt > LOST_AFTER_MS;
  const refusal = state?.state === "refused" ? rejected(state.message) : isLost ? LOST_TEXT : null;
  if (refusal === null) return desk.setPhase({ kind: "unknown", pending, isChecking: false });
  dropPending(ticketIdOf(desk.ticket), input.idempotencyKey);
  desk.update(refusedToast(input, refusal));
  end(desk, refusal);
}

function accept(desk: Desk, input: TicketOrderInput, orderId: string): void {
  const { market } = desk.ticket;
  desk.announce(acceptedToast(input, market));
  const told = followOrder(orderId, (record) =>
    desk.update(orderToast(record, market, () => void cancelResting(desk, record))),
  );
  const settle = async () => {
    await told;
    // Before, a reload would have taken away the news that were to come.
    dropPending(ticketIdOf(desk.ticket), input.idempotencyKey);
    desk.refreshPage();
  };
  void settle();
  desk.ticket.dispatch({ kind: "clear" });
  end(desk, null);
}

/** Takes an order that rests off the book again, and says what of it came true. */
async function cancelResting(desk: Desk, record: OrderRecordWire): Promise<void> {
  desk.update(cancelingToast(record, desk.ticket.market));
  const report = await desk.actions.cancel([record.id]).catch(() => NO_ANSWER);
  desk.update(canceledToast(record, report, () => void cancelResting(desk, record)));
  await refreshAccountReads();
  desk.refreshPage();
}

/** The order's fate is known: whatever is placed next is another order. */
function end(desk: Desk, refusal: string | null): void {
  desk.key.current = newIdempotencyKey();
  desk.setRefusal(refusal);
  desk.setPhase({ kind: "editing" });
  void refreshAccountReads();
}

/** What the fields come to at the prices of this moment, if the market still takes orders. */
async function reassess({ form, facts, market }: Ticket): Promise<Assessment> {
  const target = { marketId: market.id, tokenId: market.outcomes[0].tokenId };
  const [book, account] = await Promise.all([
    fetchData<OrderBookWire>(bookUrl(target)),
    fetchData<TicketAccountWire>(ticketAccountUrl(market.id)),
  ]);
  return assess(form, contextOf({ ...facts, book, account, isBookDead: false }, form.outcome));
}

/** No answer in time, or a failed one, says nothing about the order. */
async function answerOf(answer: Promise<PlaceResult>): Promise<PlaceResult> {
  const unknown = { outcome: "unknown" } as const;
  const late = new Promise<PlaceResult>((resolve) => {
    setTimeout(() => resolve(unknown), ANSWER_WITHIN_MS);
  });
  return Promise.race([answer.catch(() => unknown), late]);
}

function inputOf(order: TicketOrder, { market, form }: Ticket) {
  const { tokenId } = market.outcomes[form.outcome];
  return { tokenId, tickSize: market.tickSize, ...toPayload(order) };
}

/** The interface's messages are clauses, the dashboard's own are sentences. */
const rejected = (message: string) =>
  message.endsWith(".") ? `${message} Nothing was placed.` : `Order rejected: ${message}.`;
