import { z } from "zod";
import { ErrorCodeName } from "@/lib/schemas/envelope";
import { Scope } from "@/lib/schemas/account";
import { Instant } from "@/lib/schemas/units";

/** An API request in the key owner's log. */
export const ApiRequest = z.strictObject({
  id: z.string(),
  keyId: z.string(),
  method: z.string(),
  path: z.string(),
  /** Null if a simulated fault dropped the response. */
  status: z.int().nullable(),
  errorCode: ErrorCodeName.nullable(),
  /** The message of a response of 400 to 499, without secrets; null for others, and for older requests. */
  message: z.string().nullable(),
  durationMs: z.int(),
  /** The order that the request placed; null for other requests. */
  orderId: z.string().nullable(),
  /** Whether requests of this kind have a body. */
  hasBody: z.boolean(),
  /** Whether requests of this kind can have a query. Queries aren't logged. */
  takesQuery: z.boolean(),
  /** The body of a placed order, rebuilt from its record. Bodies themselves aren't logged. */
  body: z.string().nullable(),
  createdAt: Instant,
});

export const ApiRequestList = z.strictObject({
  requests: z.array(ApiRequest),
  nextCursor: z.string().nullable(),
});

/** Consecutive equal requests in the log: same key, method, path, status and error. */
export const ApiRequestRun = z.strictObject({
  newest: ApiRequest,
  count: z.int(),
  oldestId: z.string(),
  /** When the oldest request of the run was received. */
  firstAt: Instant,
  fastestMs: z.int(),
  slowestMs: z.int(),
  /** Selects the requests of the run. */
  key: z.string(),
});

export const ApiRequestRuns = z.strictObject({
  runs: z.array(ApiRequestRun),
  nextCursor: z.string().nullable(),
});

export const KeyLine = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The name, which says of a replaced key that it is the old one. */
  label: z.string(),
  mode: z.enum(["paper", "live"]),
  scopes: z.array(Scope),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
  /** The id of the key that replaces this one, which works until it expires. */
  replacedBy: z.string().nullable(),
  /** Whether the key was unused for so long that it should be revoked. */
  isIdle: z.boolean(),
  state: z.enum(["active", "ending", "expired", "revoked"]),
  /** Whether it has limits of its own. */
  isLimited: z.boolean(),
  isFrozen: z.boolean(),
  /** Requests in the log, which covers 7 days. */
  requests: z.int(),
});

export const KeyList = z.strictObject({ active: z.array(KeyLine), ended: z.array(KeyLine) });
