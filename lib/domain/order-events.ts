/** What an order's biography is made of. */
export const ORDER_EVENT_TYPES = [
  "received",
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
