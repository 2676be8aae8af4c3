import type { AccountEventType } from "@/lib/domain/account-events";

/**
 * What users are notified of: each kind with the events that are its notifications. A new kind also needs
 * its words in `lib/notifications/describe-event.ts`, and `npm run db:generate` for its index.
 */
const NOTIFICATION_KINDS = {
  filled: ["order.partially_filled", "order.filled"],
  refused: ["order.rejected", "order.expired"],
  resolved: ["market.resolved"],
  webhook: ["webhook.disabled"],
} as const satisfies Record<string, readonly AccountEventType[]>;

export const NOTIFIED_TYPES: readonly AccountEventType[] = Object.values(NOTIFICATION_KINDS).flat();

/** The most that is counted; a badge shows more than 99 as "99+". */
export const MAX_UNREAD = 100;
