import type { AccountEventType } from "@/lib/domain/account-events";

/**
 * What users are notified of: each kind with the events that are its notifications. A new kind also needs
 * its words in `lib/notifications/describe-event.ts`, and `npm run db:generate` for its index.
 */
const NOTIFICATION_KINDS = {
  filled: ["order.partially_filled", "order.filled"],
  approval: ["order.approval_requested"],
  refused: ["order.rejected", "order.expired"],
  resolved: ["market.resolved"],
  frozen: ["trading.frozen", "trading.thawed"],
  wallet: ["wallet.key_expiring", "wallet.key_expired"],
  webhook: ["webhook.disabled"],
} as const satisfies Record<string, readonly AccountEventType[]>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;
export const ALL_KINDS = Object.keys(NOTIFICATION_KINDS) as [
  NotificationKind,
  ...NotificationKind[],
];

/** The kinds that concern the security of the account, which can't be switched off. */
const SECURITY_KINDS: readonly NotificationKind[] = ["frozen", "wallet"];

export const isSecurityKind = (kind: NotificationKind) => SECURITY_KINDS.includes(kind);

/** Adds the kinds that can't be switched off to chosen ones. */
export const addSecurityKinds = (chosen: readonly NotificationKind[]): NotificationKind[] =>
  ALL_KINDS.filter((kind) => chosen.includes(kind) || isSecurityKind(kind));

/** Lists the types whose events are all notifications of these kinds. */
export const listNotifiedTypes = (kinds: readonly NotificationKind[]): AccountEventType[] =>
  kinds.flatMap((kind) => NOTIFICATION_KINDS[kind]);

/** Returns the kind of a notification of this event type. */
export function getNotificationKind(type: AccountEventType): NotificationKind {
  const kind = ALL_KINDS.find((each) => listNotifiedTypes([each]).includes(type));
  return kind ?? NOTIFIED_CANCEL.kind;
}

/**
 * The canceled orders that are a notification: those that the venue canceled, at a cutover for example.
 * The owner knows of the others.
 */
export const NOTIFIED_CANCEL = {
  kind: "refused",
  type: "order.canceled",
  reason: "by_venue",
} as const satisfies { kind: NotificationKind; type: AccountEventType; reason: string };

/** The most that is counted; a badge shows more than 99 as "99+". */
export const MAX_UNREAD = 100;
