import { assert } from "@/lib/errors";

export const ORDER_STATUSES = [
  "pending",
  "pending_approval",
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

/** The status transitions. A partly filled order stays `open` and shows `filledShares`. */
export const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ["pending_approval", "submitting", "delayed", "open", "filled", "canceled", "rejected"],
  // Approved, it goes on: delayed until it is matched, or submitting until the venue has responded.
  pending_approval: ["submitting", "delayed", "canceled", "expired"],
  submitting: ["delayed", "open", "filled", "canceled", "rejected", "unknown"],
  delayed: ["open", "filled", "canceled", "expired"],
  open: ["open", "filled", "canceled", "expired"],
  unknown: ["delayed", "open", "filled", "canceled", "expired", "rejected", "abandoned"],
  abandoned: ["delayed", "open", "filled", "canceled"],
  // Only if the settlement of its trades fails on chain, as reported by a remote venue.
  filled: ["canceled"],
  canceled: [],
  expired: [],
  // Only if the venue has the order although it reported a rejection.
  rejected: ["open"],
};

/** Statuses of orders that are at the venue and can trade. */
export const LIVE_STATUSES = ["open", "delayed"] as const satisfies readonly OrderStatus[];

/** Final statuses. The order holds nothing and is part of the order history. */
export const CLOSED_STATUSES = [
  "filled",
  "canceled",
  "expired",
  "rejected",
  "abandoned",
] as const satisfies readonly OrderStatus[];

/** Statuses of orders that may still trade, including those with an unknown outcome. */
export const UNSETTLED_STATUSES = [
  "pending",
  "pending_approval",
  "submitting",
  "delayed",
  "open",
  "unknown",
] as const satisfies readonly OrderStatus[];

export function isLive(status: OrderStatus): boolean {
  return status === "open" || status === "delayed";
}

export function isClosed(status: OrderStatus): boolean {
  return CLOSED_STATUSES.some((closed) => closed === status);
}

/** Whether an order can be canceled: it is at the exchange, or waits for approval. */
export function isCancelable(status: OrderStatus): boolean {
  return isLive(status) || status === "pending_approval";
}

/** Returns the next status. Throws if the table does not allow the transition, which is a bug. */
export function transition(from: OrderStatus, to: OrderStatus): OrderStatus {
  assert(TRANSITIONS[from].includes(to), `an order cannot change from ${from} to ${to}`);
  return to;
}

/** The types of events in an order history. */
export const ORDER_EVENT_TYPES = [
  "received",
  "approval_requested",
  "approved",
  "delayed",
  "opened",
  "matched",
  "filled",
  "canceled",
  "expired",
  "rejected",
  "submitted",
  "unknown",
  "cancel_requested",
  "abandoned",
  "reversed",
] as const;

/** `ante`: placed by this service. `external`: placed elsewhere with the same wallet. */
export const ORDER_ORIGINS = ["ante", "external"] as const;
export type OrderOrigin = (typeof ORDER_ORIGINS)[number];
