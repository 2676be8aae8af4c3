import { z } from "zod";
import { ACCOUNT_EVENT_TYPES } from "@/lib/domain/account-events";
import { MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, splitWords } from "@/lib/domain/search";
import { MAX_ROWS, PAGE_SIZE } from "@/lib/schemas/page-size";

const Id = z.string().min(1);
/** No id, slug or category is longer. */
const MAX_QUERY_TEXT = 256;
export const QueryText = Id.max(MAX_QUERY_TEXT, `must have at most ${MAX_QUERY_TEXT} characters`);
export const SearchText = Id.max(MAX_SEARCH_LENGTH, {
  error: `must have at most ${MAX_SEARCH_LENGTH} characters`,
  abort: true,
}).refine(
  (text) => splitWords(text).length <= MAX_SEARCH_WORDS,
  `must have at most ${MAX_SEARCH_WORDS} words`,
);
export const Cursor = Id.optional().describe("The nextCursor of the previous page.");
const WHOLE_TO_MAX = `must be a whole number from 1 to ${MAX_ROWS}`;
/** Text in a URL, an integer in the document. */
export const Limit = z
  .preprocess(
    (text) => (/^[1-9]\d{0,3}$/.test(String(text)) ? Number(text) : text),
    z.int(WHOLE_TO_MAX).min(1, WHOLE_TO_MAX).max(MAX_ROWS, WHOLE_TO_MAX),
  )
  .optional()
  .describe(`Rows per page, ${PAGE_SIZE} by default.`);
/** An instant with nanoseconds and an offset is shorter. */
const MAX_INSTANT = 64;
export const InstantText = z.iso
  .datetime({ error: "must be an ISO instant such as 2026-11-21T12:00:00Z" })
  .max(MAX_INSTANT, `must have at most ${MAX_INSTANT} characters`)
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1, "must not be before the year 1")
  .optional();

export const MarketFilter = QueryText.optional().describe(
  "Only this market, by condition id or slug. An unknown market matches nothing.",
);

/** Text in a URL, an integer in the document. */
const wholeNumber = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .preprocess(
      (text) => (/^(0|[1-9]\d{0,15})$/.test(String(text)) ? Number(text) : text),
      z.int(rule).min(min, rule).max(max, rule),
    )
    .optional();
};

export const SeqCursor = wholeNumber(0, Number.MAX_SAFE_INTEGER).describe(
  "Only events after this number. Without it, or with 0: from the start of the current epoch.",
);
export const ReplayCursor = wholeNumber(0, Number.MAX_SAFE_INTEGER).describe(
  "Send the events after this number. Without it, or with 0: from the start of the current epoch.",
);
const MAX_EPOCH = 2_147_483_647;
export const EpochFilter = wholeNumber(0, MAX_EPOCH).describe(
  "Read an epoch of a paper account that a reset has ended.",
);
const MAX_WAIT_SECONDS = 30;
export const WaitSeconds = wholeNumber(0, MAX_WAIT_SECONDS).describe(
  `Wait up to this long, at most ${MAX_WAIT_SECONDS} seconds, until there is an event.`,
);
/** Names an unknown type, shortened, because a client can send any text. */
const refuseEventType = (input: unknown) =>
  `${JSON.stringify(String(input).slice(0, 40))} is not an event type; separate types with commas`;

export const EventTypesFilter = z
  .preprocess(
    (text) => (typeof text === "string" ? text.split(",") : text),
    z.array(z.enum(ACCOUNT_EVENT_TYPES, { error: ({ input }) => refuseEventType(input) })).max(64),
  )
  .optional()
  .describe("Only events of these types, separated by commas.");

export const AssetFilter = QueryText.optional().describe("Only this outcome, by its token id.");
export const MarketId = Id.describe("The market's condition id or slug.");
export const OrderId = Id.describe("The order's id, as placing it returned.");
export const PositionId = Id.describe("The position's id, which is its token id.");
export const TransactionId = Id.describe("The transaction's id, as its request returned.");
export const WebhookId = Id.describe("The endpoint's id, as creating it returned.");
export const DeliveryId = Id.describe("The delivery's id, which is the webhook-id header.");
export const OutcomeFilter = QueryText.optional().describe(
  "The token id of the outcome; the first outcome by default.",
);

/** An operation without path parameters, or without query parameters. */
export const None = z.object({});
