/** The types of events in an account's log. docs/events.md says what each means. */
export const ACCOUNT_EVENT_TYPES = [
  "account.snapshot",
  "account.reset",
  "order.received",
  "order.delayed",
  "order.opened",
  "order.partially_filled",
  "order.filled",
  "order.cancel_requested",
  "order.canceled",
  "order.expired",
  "order.rejected",
  "order.unknown",
  "order.updated",
  "order.abandoned",
  "fill.created",
  "fill.reversed",
  "position.changed",
  "position.redeemable",
  "position.redeemed",
  "balance.changed",
  "deposit.created",
  "key.created",
  "key.rotated",
  "key.revoked",
  "wallet.added",
  "wallet.removed",
  "market.resolved",
  "venue.degraded",
  "venue.recovered",
  "webhook.disabled",
] as const;
export type AccountEventType = (typeof ACCOUNT_EVENT_TYPES)[number];

/** The types whose event carries an order. */
export type OrderEventType = Extract<AccountEventType, `order.${string}`>;
