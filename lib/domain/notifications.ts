import type { AccountEventType } from "@/lib/domain/account-events";

/**
 * The kinds of notifications. Every event of a kind's types is a notification; `PARTLY_NOTIFIED` has the types of
 * which only some events are. A new kind also needs its words in `lib/notifications/describe-event.ts`, and `npm run db:generate` for its index.
 */
const NOTIFICATION_KINDS = {
  filled: ["order.partially_filled", "order.filled"],
  approval: ["order.approval_requested"],
  refused: ["order.rejected", "order.expired"],
  resolved: ["market.resolved"],
  claim: [],
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

/** Returns the kind of a notification of this event type. An order that ended after it traded in part is a fill. */
export function getNotificationKind(type: AccountEventType, hasTraded: boolean): NotificationKind {
  if (hasTraded) return "filled";
  const kind =
    ALL_KINDS.find((each) => listNotifiedTypes([each]).includes(type)) ??
    PARTLY_NOTIFIED.find((each) => each.type === type && each.kind !== "filled")?.kind;
  if (kind) return kind;
  throw new Error(`no notification is made of ${type}`);
}

/**
 * The types of which some events are notifications: those whose stored data has, or has not, this value.
 *
 * - Canceled and expired orders that traded in part. Their last trades may have no other notification.
 * - Canceled orders that the venue canceled, at a cutover for example. The owner knows of the others.
 * - Failed wallet transactions that the service made, marked in `lib/wallet-transactions/change.ts`.
 */
export const PARTLY_NOTIFIED = [
  { kind: "filled", type: "order.canceled", path: ["filledShares"], is: "<>", value: "0" },
  { kind: "filled", type: "order.expired", path: ["filledShares"], is: "<>", value: "0" },
  {
    kind: "refused",
    type: "order.canceled",
    path: ["detail", "reason"],
    is: "=",
    value: "by_venue",
  },
  { kind: "claim", type: "transaction.failed", path: ["notifiesOwner"], is: "=", value: "true" },
] as const satisfies readonly {
  kind: NotificationKind;
  type: AccountEventType;
  /** The names that lead to the value in the stored data. */
  path: readonly string[];
  is: "=" | "<>";
  value: string;
}[];

/** The most that is counted; a badge shows more than 99 as "99+". */
export const MAX_UNREAD = 100;
