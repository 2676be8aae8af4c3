import { type CancelReport, cancelText, lateText } from "@/components/orders/cancel-report";
import { formatMoney, formatPrice, formatShares } from "@/components/format/numbers";
import type { OrderRecordWire } from "@/lib/client/follow-order";
import { isHidingValues } from "@/lib/client/hide-values";
import type { Toast } from "@/lib/client/toasts";
import type { TicketOrderInput } from "@/lib/schemas/ticket";

/** What the texts need to know of the order's market. */
interface Subject {
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string }[];
}

const HIDDEN = "••••";

/** One order, one toast: every text of it has the order's key as its id and replaces the last. */
export function acceptedToast(input: TicketOrderInput, market: Subject): Toast {
  const verb = input.action === "BUY" ? "buy" : "sell";
  const name = outcomeName(market, input.tokenId);
  const size =
    input.amount === undefined
      ? `${shown(formatShares(input.shares ?? null))} ${name}`
      : `${name}, ${shown(formatMoney(input.amount))}`;
  return {
    id: input.idempotencyKey,
    tone: "info",
    text: `Order accepted: ${verb} ${size}. Waiting for the exchange…`,
  };
}

export function checkingToast(input: TicketOrderInput): Toast {
  return {
    id: input.idempotencyKey,
    tone: "info",
    text: "Not confirmed yet. Don't place it again — checking.",
  };
}

/** The checking is over: it takes the place of the toast that said so. */
export function refusedToast(input: TicketOrderInput, text: string): Toast {
  return { id: input.idempotencyKey, tone: "error", text };
}

/** What has become of an order. One that rests on the book can be canceled from here. */
export function orderToast(record: OrderRecordWire, market: Subject, cancel: () => void): Toast {
  return {
    id: record.idempotencyKey,
    tone: record.status === "rejected" ? "error" : record.filledShares > 0 ? "success" : "info",
    text: orderText(record, market),
    link: viewLink(record),
    ...(record.status === "open" && { action: { label: "Cancel", run: cancel } }),
  };
}

export function cancelingToast(record: OrderRecordWire, market: Subject): Toast {
  const verb = record.action === "BUY" ? "buy" : "sell";
  const size = shown(formatShares(record.remainingShares));
  const at = formatPrice(record.price, market.tickSize);
  return {
    id: record.idempotencyKey,
    tone: "info",
    text: `Canceling: ${verb} ${size} ${outcomeName(market, record.tokenId)} at ${at}…`,
  };
}

/** How the cancel ended. Without an answer the order may still be open: it can be tried again. */
export function canceledToast(
  record: OrderRecordWire,
  { canceled, late, problem }: CancelReport,
  tryAgain: () => void,
): Toast {
  const news = { id: record.idempotencyKey, link: viewLink(record) };
  if (problem !== null) {
    const action = { label: "Try again", run: tryAgain };
    return { ...news, tone: "error", text: problem, action };
  }
  const [missed] = late;
  if (missed) return { ...news, tone: "info", text: lateText(missed.status) };
  return { ...news, tone: "success", text: cancelText(canceled.length, 0) };
}

const viewLink = ({ id }: OrderRecordWire) => ({ href: `/orders/${id}`, label: "View" });

/** An order's state as a sentence, for the toast and for the receipt. */
function orderText(record: OrderRecordWire, market: Subject): string {
  const name = outcomeName(market, record.tokenId);
  const [verb, done] = record.action === "BUY" ? ["buy", "Bought"] : ["sell", "Sold"];
  const filled = shown(formatShares(record.filledShares));
  const average = formatPrice(record.avgFillPrice, market.tickSize, 1);
  const limit = formatPrice(record.price, market.tickSize);
  const wanted = record.shares === null ? null : shown(formatShares(record.shares));
  if (record.status === "filled") return `${done} ${filled} ${name} at ${average}.`;
  if (record.status === "open" && record.filledShares > 0) {
    const open = shown(formatShares(record.remainingShares));
    return `${done} ${filled} of ${wanted ?? open} ${name} at ${average}. ${open} still open.`;
  }
  if (record.status === "open") return `Limit order open: ${verb} ${wanted} ${name} at ${limit}.`;
  if (record.filledShares > 0) {
    const of = wanted === null ? filled : `${filled} of ${wanted}`;
    return `${done} ${of} ${name} at ${average}. The rest was not filled.`;
  }
  if (record.status === "rejected") return "Order rejected.";
  if (record.status === "canceled" || record.status === "expired") {
    return `Nothing was ${done.toLowerCase()}: the price moved past ${limit}.`;
  }
  return `Order accepted: ${verb} ${name}. Waiting for the exchange…`;
}

function outcomeName({ outcomes }: Subject, tokenId: string): string {
  return outcomes.find((outcome) => outcome.tokenId === tokenId)?.name ?? "shares";
}

const shown = (figure: string) => (isHidingValues() ? HIDDEN : figure);
