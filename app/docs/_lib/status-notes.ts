import "server-only";
import type { OrderStatus } from "@/lib/domain/order-status";

/** What an order's status tells its owner, in one line each. */
export const STATUS_NOTES: Record<OrderStatus, string> = {
  pending: "Recorded, nothing has been sent yet. What it needs is reserved.",
  submitting: "On its way to the exchange. Its answer has not come back yet.",
  delayed: "Accepted; the exchange matches it a few seconds later.",
  open: "Stands on the book. filledShares says how much of it has filled so far.",
  filled: "Done: nothing of it is left to trade.",
  canceled: "Ended before all of it filled: by you, or a market order whose rest was dropped.",
  expired: "Ended because its market closed. What had filled stays filled.",
  rejected: "Refused for good by your account or the exchange. Nothing happened.",
  unknown: "Sent, and no answer came. The service looks for it; what it needs stays reserved.",
  abandoned: "Never seen at the exchange. Given up, and what it reserved is free again.",
};
