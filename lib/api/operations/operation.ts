import "server-only";
import type { z } from "zod";
import type { Scope } from "@/lib/auth/principal";
import type { RateClass } from "@/lib/auth/rate-limit";
import type { OperationGroup } from "@/lib/domain/operation-groups";
import type { ErrorCode } from "@/lib/errors";
import type { Json } from "@/lib/api/operations/examples";
import type { PlaceOrderBody } from "@/lib/schemas/orders";
import { None } from "@/lib/schemas/parameters";
import type { LowerLimitsBody } from "@/lib/schemas/limits";
import type { SplitOrMergeBody } from "@/lib/schemas/wallet-transactions";
import type { ChangeWebhookBody, CreateWebhookBody } from "@/lib/schemas/webhooks";

/**
 * One operation of the interface: everything that routing, checks, the OpenAPI document and the
 * reference know of it. Its route file names it and the use case.
 */
export interface Operation {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Public path; `{name}` stands for one segment. */
  path: string;
  /** Open to all, to any valid key, or to keys with a scope. */
  access: "open" | "key" | Scope;
  /** The limit that a request counts against. */
  rate: RateClass;
  /** Whether the contract defines it. Every other operation refuses input that it doesn't know. */
  isInContract: boolean;

  group: OperationGroup["name"];
  /** Two or three words, for a list of contents. */
  title: string;
  summary: string;
  /** Details for callers, beyond the summary. */
  description: string;

  params: z.ZodObject;
  query: z.ZodObject;
  body: z.ZodType | null;
  /** Fields that the request body needs. */
  bodyDescription?: string;
  response: z.ZodType;
  /** Whether the response is a stream of server-sent events instead of JSON. */
  isStream?: true;
  /** Error codes besides those that every operation of its kind returns. */
  errors: readonly ErrorCode[];
  /**
   * The start of the `Age` of a live response: the last comparison of the account with the
   * venue, or the venue's figures in the response.
   */
  age?: "comparison" | "figures";

  /** Whether the response is a document for tools, which has no envelope. */
  isDocument?: true;
  exampleQuery?: Readonly<Record<string, string>>;
  /** Request bodies by what they ask for; the first one stands in the reference. */
  exampleBodies?: Readonly<Record<string, ExampleBody>>;
  /** Values of the example response that belong to the example request, as `buildSample` takes them. */
  exampleValues?: Readonly<Record<string, Json>>;
}

export type OrderBody = z.input<typeof PlaceOrderBody>;
export type ExampleBody =
  | OrderBody
  | z.input<typeof CreateWebhookBody>
  | z.input<typeof ChangeWebhookBody>
  | z.input<typeof LowerLimitsBody>
  | z.input<typeof SplitOrMergeBody>;

/** The input of an operation that takes none. */
export const NO_INPUT = { params: None, query: None, body: null } as const;

/** Errors of a request to the venue of a live key. */
export const VENUE_ERRORS = [
  "TRADING_PAUSED",
  "UPSTREAM_ERROR",
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_RATE_LIMITED",
  "UPSTREAM_AUTH_FAILED",
  "UPSTREAM_BAD_RESPONSE",
] as const satisfies readonly ErrorCode[];

const ERRORS_OF_EVERY_OPERATION = [
  "MALFORMED_URL",
  "VALIDATION_ERROR",
  "PAYLOAD_TOO_LARGE",
  "METHOD_NOT_ALLOWED",
  "DATABASE_UNAVAILABLE",
  "INTERNAL_ERROR",
] as const satisfies readonly ErrorCode[];

const ERRORS_OF_KEYS = [
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "API_KEY_EXPIRED",
  "API_KEY_REVOKED",
  "ADDRESS_NOT_ALLOWED",
  "ACCOUNT_DISABLED",
  "RATE_LIMITED",
] as const satisfies readonly ErrorCode[];

/** Lists every error code that an operation can return, without repetitions. */
export function listErrorCodes({ access, query, body, errors }: Operation): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...ERRORS_OF_EVERY_OPERATION,
      ...(access === "open" ? [] : ERRORS_OF_KEYS),
      ...(access === "open" || access === "key" ? [] : (["INSUFFICIENT_SCOPE"] as const)),
      ...("nextCursor" in query.shape ? (["INVALID_CURSOR"] as const) : []),
      ...(body === null ? [] : (["INVALID_JSON", "UNSUPPORTED_MEDIA_TYPE"] as const)),
      ...errors,
    ]),
  ];
}
