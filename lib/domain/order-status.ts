import { assert } from "@/lib/errors";

export const ORDER_STATUSES = [
  "pending",
  "submitting",
  "delayed",
  "open",
  "filled",
  "canceled",
  "expired",
  "rejected",
  "unknown",
  "abandoned",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The one transition table. A partly filled order stays `open` and shows `filledShares`. */
export const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["submitting", "delayed", "open", "filled", "canceled", "rejected"],
  submitting: ["delayed", "open", "filled", "canceled", "rejected", "unknown"],
  delayed: ["open", "filled", "canceled", "expired"],
  open: ["open", "filled", "canceled", "expired"],
  unknown: ["delayed", "open", "filled", "canceled", "expired", "rejected", "abandoned"],
  abandoned: ["delayed", "open", "filled", "canceled"],
  // Only when the settlement of its trades fails on the chain, which a remote venue may report.
  filled: ["canceled"],
  canceled: [],
  expired: [],
  rejected: [],
};

/** Statuses in which an order still stands at the venue and can trade. */
export const LIVE_STATUSES = ["open", "delayed"] as const satisfies readonly OrderStatus[];

/** Statuses in which an order is over: nothing is reserved for it, and it is history. */
export const CLOSED_STATUSES = [
  "filled",
  "canceled",
  "expired",
  "rejected",
  "abandoned",
] as const satisfies readonly OrderStatus[];

/** Statuses of orders that may still trade, among them those whose outcome is not known yet. */
export const UNSETTLED_STATUSES = [
  "pending",
  "submitting",
  "delayed",
  "open",
  "unknown",
] as const satisfies readonly OrderStatus[];

export function isLive(status: OrderStatus): boolean {
  return status === "open" || status === "delayed";
}

/** The next status, if the table allows it. Throws otherwise: an illegal change is our bug. */
export function transition(from: OrderStatus, to: OrderStatus): OrderStatus {
  assert(TRANSITIONS[from].includes(to), `order may not go from ${from} to ${to}`);
  return to;
}
