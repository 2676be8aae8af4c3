import { z } from "zod";
import { ErrorCodeName } from "@/lib/schemas/envelope";
import { Instant } from "@/lib/schemas/units";

/** One call to the interface, as its owner sees it. */
export const ApiRequest = z.strictObject({
  id: z.string(),
  keyId: z.string(),
  method: z.string(),
  path: z.string(),
  /** Null when a rehearsal dropped the answer. */
  status: z.int().nullable(),
  errorCode: ErrorCodeName.nullable(),
  durationMs: z.int(),
  createdAt: Instant,
});

export const ApiRequestList = z.strictObject({
  requests: z.array(ApiRequest),
  nextCursor: z.string().nullable(),
});

export const KeyLine = z.strictObject({
  id: z.string(),
  name: z.string(),
  mode: z.enum(["paper", "live"]),
  scopes: z.array(z.enum(["read", "trade", "cancel"])),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  revokedAt: Instant.nullable(),
  /** The id of the key that took over; this one works until it expires. */
  replacedBy: z.string().nullable(),
  /** Not used for long, so better revoked. */
  isIdle: z.boolean(),
  state: z.enum(["active", "ending", "expired", "revoked"]),
  /** Calls in the kept part of the log. */
  requests: z.int(),
});

export const KeyList = z.strictObject({ active: z.array(KeyLine), ended: z.array(KeyLine) });
