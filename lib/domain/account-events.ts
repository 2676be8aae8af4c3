/** What each type of event in an account's log says. */
export const EVENT_MEANINGS = {
  "account.snapshot": "All of the account at one moment, where its log has no past.",
  "account.reset": "The paper account was reset: the last event of its epoch.",
  "order.received": "An order was recorded.",
  "order.approval_requested": "An order waits for its owner's approval.",
  "order.approved": "The owner approved an order, which is then placed.",
  "order.delayed": "An order waits before it can match.",
  "order.opened": "An order waits on the book.",
  "order.partially_filled": "An order traded and can still trade.",
  "order.filled": "An order filled.",
  "order.cancel_requested": "A cancel of a live order was recorded and will be sent.",
  "order.canceled":
    "An order was canceled. `detail.reason` says why. If it was edited, `detail.replacementKey` is the idempotency key of the order that replaces it.",
  "order.expired": "An order expired.",
  "order.rejected": "An order was rejected. `detail` has code and message.",
  "order.unknown": "The outcome of a live order is not known yet.",
  "order.updated": "The record of an order changed in another way, such as by being sent again.",
  "order.abandoned": "A live order never reached the venue.",
  "fill.created": "An order traded.",
  "fill.reversed": "A trade failed to settle on chain.",
  "position.changed": "Shares, cost or realized profit of a position changed.",
  "position.redeemable": "A position can be claimed.",
  "position.redeemed": "A position was claimed.",
  "balance.changed": "Cash changed, or what open orders reserve of it.",
  "deposit.created": "Paper money was added.",
  "key.created": "An API key was created.",
  "key.rotated": "An API key was rotated: a new one takes its place.",
  "key.revoked": "An API key was revoked.",
  "limits.changed": "The limits of an API key, of the account or of the user changed.",
  "trading.frozen": "An API key, the account or the user was frozen and can place no orders.",
  "trading.thawed": "An API key, the account or the user was thawed and can place orders again.",
  "wallet.added": "The live wallet was added.",
  "wallet.removed": "The live wallet was removed.",
  "wallet.key_expiring": "The session key of the live wallet expires within 7 days.",
  "wallet.key_expired": "The session key of the live wallet has expired.",
  "transaction.waiting": "A claim, split, merge or approval waits. `transaction.reason` says why.",
  "transaction.submitted": "The venue accepted a transaction. It is not final on the chain yet.",
  "transaction.unknown": "A transaction was sent. Whether the venue accepted it is not known yet.",
  "transaction.confirmed": "A transaction is final on the chain.",
  "transaction.failed": "A transaction did not happen. `transaction.reason` says why.",
  "market.resolved": "A market that the account holds was resolved.",
  "venue.degraded": "Live orders could not be compared with the venue.",
  "venue.recovered": "Live orders can be compared with the venue again.",
  "webhook.disabled": "A webhook endpoint failed for too long, or is gone, and gets nothing more.",
} as const;
export type AccountEventType = keyof typeof EVENT_MEANINGS;
export const ACCOUNT_EVENT_TYPES = Object.keys(EVENT_MEANINGS) as [
  AccountEventType,
  ...AccountEventType[],
];

/** The types whose event carries a claim, split, merge or approval of the wallet. */
export type TransactionEventType = Extract<AccountEventType, `transaction.${string}`>;

/** The types whose event carries an order. */
export type OrderEventType = Extract<AccountEventType, `order.${string}`>;

const KIND_TITLES: Readonly<Record<string, string>> = {
  account: "Account",
  order: "Orders",
  fill: "Fills",
  position: "Positions",
  balance: "Cash",
  deposit: "Deposits",
  key: "API keys",
  limits: "Limits",
  trading: "Freezes",
  wallet: "Live wallet",
  transaction: "Wallet transactions",
  market: "Markets",
  venue: "Live trading",
  webhook: "Webhooks",
};

const readKind = (type: AccountEventType) => type.split(".", 1)[0] ?? "";

/** The types by kind, which is the part before the dot, with a title for users. */
export const EVENT_KINDS = [...new Set(ACCOUNT_EVENT_TYPES.map(readKind))].map((name) => ({
  name,
  title: KIND_TITLES[name] ?? name,
  types: ACCOUNT_EVENT_TYPES.filter((type) => readKind(type) === name),
}));
