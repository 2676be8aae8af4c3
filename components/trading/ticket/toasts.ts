import { type CancelReport, describeLate } from "@/components/orders/cancel-report";
import {
  type CancelableOrder,
  createCanceledToast,
  describeTerms,
  toToastId,
} from "@/components/orders/cancel-toast";
import { HIDDEN, maskFigures } from "@/components/format/figures";
import {
  formatMoney,
  formatOrderPrice,
  formatPrice,
  formatShares,
} from "@/components/format/numbers";
import { addExactly } from "@/components/format/sums";
import { type Clock, listOptionTexts } from "@/components/trading/wording";
import type { OrderRecordWire } from "@/lib/browser/follow-order";
import { isHidingValues } from "@/lib/browser/hide-values";
import type { Toast } from "@/lib/browser/toasts";
import type { TicketOrderInput } from "@/lib/schemas/ticket";

/** The market data that the texts need. */
interface ToastMarket {
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string }[];
}

/** Adds the user's clock, which the text of an expiry needs. */
interface ToastMarketWithClock extends ToastMarket {
  clock: Clock;
}

/** The toasts of an order have its idempotency key as id, so each one replaces the one before. */
export function createAcceptedToast(input: TicketOrderInput, market: ToastMarket): Toast {
  const verb = input.action === "BUY" ? "buy" : "sell";
  const name = findOutcomeName(market, input.tokenId);
  const size =
    input.amount === undefined
      ? `${mask(formatShares(input.shares ?? null))} ${name}`
      : `${name}, ${mask(formatMoney(input.amount))}`;
  return {
    id: input.idempotencyKey,
    tone: "info",
    text: `Order accepted: ${verb} ${size}. Waiting for the exchange…`,
  };
}

export function createCheckingToast(input: TicketOrderInput): Toast {
  return {
    id: input.idempotencyKey,
    tone: "info",
    text: "Not confirmed yet. Checking… Don’t place it again.",
  };
}

/** Replaces the checking toast. */
export function createRejectedToast(input: TicketOrderInput, text: string): Toast {
  return {
    id: input.idempotencyKey,
    tone: "error",
    text: isHidingValues() ? maskFigures(text) : text,
  };
}

/** Creates the toast of an order's state. An open order has a Cancel button. */
export function createOrderToast(
  record: OrderRecordWire,
  market: ToastMarketWithClock,
  cancel: () => void,
): Toast {
  return {
    id: toToastId(record),
    tone: record.status === "rejected" ? "error" : record.filledShares > 0 ? "success" : "info",
    text: describeOrderState(record, market),
    link: toViewLink(record),
    ...(record.status === "open" && { action: { label: "Cancel", run: cancel } }),
  };
}

export function createCancelingToast(record: OrderRecordWire, market: ToastMarket): Toast {
  const order = toCancelable(record, market);
  return { id: toToastId(order), tone: "info", text: `Canceling: ${describeTerms(order)}…` };
}

const toCancelable = (record: OrderRecordWire, market: ToastMarket): CancelableOrder => ({
  ...record,
  shares: record.remainingShares,
  outcome: findOutcomeName(market, record.tokenId),
  tickSize: market.tickSize,
});

/** Creates the toast of a cancel's result. Without a response, it has a button to try again. */
export function createCancelToast(
  record: OrderRecordWire,
  market: ToastMarket,
  { late, problem }: CancelReport,
  tryAgain: () => void,
): Toast {
  const base = { id: toToastId(record), link: toViewLink(record) };
  if (problem !== null) {
    const action = { label: "Try again", run: tryAgain };
    return { ...base, tone: "error", text: problem, action };
  }
  const [missed] = late;
  if (missed) return { ...base, tone: "info", text: describeLate(missed.status) };
  return createCanceledToast(toCancelable(record, market));
}

/** Describes an order that was filled or is open, for the ticket's button; null for other results. */
export function describeSuccess(
  record: OrderRecordWire,
  market: ToastMarketWithClock,
): string | null {
  if (record.filledShares === 0) return record.status === "open" ? "Order open" : null;
  return describeFilled(record, market);
}

const toViewLink = ({ id }: OrderRecordWire) => ({ href: `/orders/${id}`, label: "View" });

/** Describes an order's state in a sentence. */
function describeOrderState(record: OrderRecordWire, market: ToastMarketWithClock): string {
  const name = findOutcomeName(market, record.tokenId);
  const verb = record.action === "BUY" ? "buy" : "sell";
  const limit = formatOrderPrice(record.price, market.tickSize);
  const ordered = record.shares === null ? null : mask(formatShares(record.shares));
  if (record.status === "filled") return describeFills(record, market);
  if (record.status === "open" && record.filledShares > 0) {
    const open = mask(formatShares(record.remainingShares));
    return `${describeFills(record, market)} ${open} still open.`;
  }
  if (record.status === "open") {
    const options = listOptionTexts(record, market.clock).map((text) => ` ${text}.`);
    return `Limit order open: ${verb} ${ordered} ${name} at ${limit}.${options.join("")}`;
  }
  if (record.filledShares > 0) {
    return `${describeFills(record, market)} The rest was not filled.`;
  }
  if (record.status === "rejected") return "Order rejected.";
  if (record.status === "canceled" && canRest(record)) {
    return `Canceled: ${describeTerms(toCancelable(record, market))}.`;
  }
  if (record.status === "expired" && record.timeInForce === "GTD") {
    return `Nothing was ${getDone(record).toLowerCase()}: the order expired.`;
  }
  if (record.status === "canceled" || record.status === "expired") {
    return `Nothing was ${getDone(record).toLowerCase()}: the price moved past ${limit}.`;
  }
  return `Order accepted: ${verb} ${name}. Waiting for the exchange…`;
}

/** An order that can rest on the book is canceled by someone, not by its price. */
const canRest = ({ type, timeInForce }: OrderRecordWire) =>
  type === "limit" && (timeInForce === "GTC" || timeInForce === "GTD");

/** Describes the filled part of an order and its total: "Bought 100 Yes at 25¢. You paid $25.94." */
function describeFills(record: OrderRecordWire, market: ToastMarket): string {
  const isBuy = record.action === "BUY";
  const value = record.fills.reduce((total, { amount }) => addExactly(total, amount), 0);
  const total = addExactly(value, isBuy ? record.fee : -record.fee);
  const verb = isBuy ? "paid" : "received";
  return `${describeFilled(record, market)}. You ${verb} ${mask(formatMoney(total))}.`;
}

/** Describes the filled part of an order: "Bought 40 of 100 Yes at 60¢". */
function describeFilled(record: OrderRecordWire, market: ToastMarket): string {
  const filled = mask(formatShares(record.filledShares));
  const ordered = record.shares === null ? null : mask(formatShares(record.shares));
  const of = record.status === "filled" || ordered === null ? filled : `${filled} of ${ordered}`;
  const average = formatPrice(record.avgFillPrice, market.tickSize, 1);
  return `${getDone(record)} ${of} ${findOutcomeName(market, record.tokenId)} at ${average}`;
}

const getDone = ({ action }: OrderRecordWire) => (action === "BUY" ? "Bought" : "Sold");

function findOutcomeName({ outcomes }: ToastMarket, tokenId: string): string {
  return outcomes.find((outcome) => outcome.tokenId === tokenId)?.name ?? "shares";
}

const mask = (figure: string) => (isHidingValues() ? HIDDEN : figure);
