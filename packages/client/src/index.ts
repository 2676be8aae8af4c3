export { Ante, type AnteOptions } from "./client.js";
export { type Decimal, fromMicro, toMicro } from "./decimal.js";
export {
  AnteError,
  ApiError,
  AuthenticationError,
  type ClientCode,
  LimitError,
  NoResponseError,
  OutcomeUnknown,
  UnavailableError,
} from "./errors.js";
export type { FollowOptions } from "./follow.js";
export {
  type Journal,
  type JournalEntry,
  type LocalJournal,
  memoryJournal,
  type Outcome,
} from "./journal.js";
export type { List } from "./list.js";
export type { Orders, Resumed } from "./orders.js";
export type { CallOptions } from "./repeat.js";
export { createIdempotencyKey, type SubmitOptions } from "./submit.js";
export type * from "./types.js";
export {
  type ReceivedWebhook,
  signWebhook,
  type VerifiedWebhook,
  verifyWebhook,
} from "./webhooks.js";
