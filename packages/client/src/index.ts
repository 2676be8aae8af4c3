export { Ante, type AnteOptions, isApiKey } from "./client.ts";
export { type Decimal, fromMicro, toMicro } from "./decimal.ts";
export {
  AnteError,
  ApiError,
  AuthenticationError,
  type ClientCode,
  LimitError,
  NoResponseError,
  OutcomeUnknown,
  UnavailableError,
} from "./errors.ts";
export type { FollowedEvent, FollowOptions } from "./follow.ts";
export {
  type Journal,
  type JournalEntry,
  type LocalJournal,
  memoryJournal,
  type Outcome,
} from "./journal.ts";
export type { List } from "./list.ts";
export type { Orders, Resumed } from "./orders.ts";
export type { CallOptions } from "./repeat.ts";
export { createIdempotencyKey, type SubmitOptions } from "./submit.ts";
export type * from "./types.ts";
export {
  type ReceivedWebhook,
  signWebhook,
  type VerifiedWebhook,
  verifyWebhook,
} from "./webhooks.ts";
