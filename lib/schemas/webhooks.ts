import { z } from "zod";
import { ACCOUNT_EVENT_TYPES } from "@/lib/domain/account-events";
import { Instant } from "@/lib/schemas/units";

const MAX_URL = 2_048;

const WebhookUrl = z
  .string("must be a URL")
  .min(1, "must be a URL")
  .max(MAX_URL, `must have at most ${MAX_URL} characters`);
const WebhookTypes = z
  .array(z.enum(ACCOUNT_EVENT_TYPES, "must be event types"))
  .min(1, "must name a type, or be null for all")
  .transform((types) => [...new Set(types)])
  .nullable();
const IsOrdered = z.boolean("must be true or false");

export const CreateWebhookBody = z
  .object({
    url: WebhookUrl.describe("Where events are sent: https, with a public address."),
    types: WebhookTypes.optional().describe(
      "The types of events to send; null, or left out, for all.",
    ),
    ordered: IsOrdered.optional().describe(
      "True, the default: the next event is sent only after the one before was acknowledged.",
    ),
  })
  .meta({ id: "CreateWebhook" });
export type CreateWebhookBody = z.output<typeof CreateWebhookBody>;

export const ChangeWebhookBody = z
  .object({
    url: WebhookUrl.optional().describe(
      "A new address. It gets a test message, and events once it acknowledges one.",
    ),
    types: WebhookTypes.optional().describe("The types of events to send; null for all."),
    ordered: IsOrdered.optional().describe("Whether events are sent one after the other."),
    status: z
      .enum(["active", "disabled"], "must be active or disabled")
      .optional()
      .describe(
        "disabled stops deliveries. active sends a test message, and resumes once it is acknowledged.",
      ),
  })
  .meta({ id: "ChangeWebhook" });
export type ChangeWebhookBody = z.output<typeof ChangeWebhookBody>;

const Seq = z.int().min(0);

const WebhookFields = z.strictObject({
  id: z.string().describe("The endpoint's id."),
  mode: z.enum(["paper", "live"]).describe("The account whose events it gets."),
  url: z.string().describe("Where events are sent."),
  types: z
    .array(z.enum(ACCOUNT_EVENT_TYPES))
    .nullable()
    .describe("The types of events that are sent; null for all."),
  ordered: z.boolean().describe("Whether events are sent one after the other."),
  status: z
    .enum(["pending", "active", "disabled"])
    .describe("pending until it acknowledges a test message; disabled gets nothing."),
  disabledReason: z
    .string()
    .nullable()
    .describe("Why the service disabled it, as a sentence for users, or null."),
  failingSince: Instant.nullable().describe(
    "The first failed attempt since the last success, or null.",
  ),
  lastSeq: Seq.describe("The number of the last event that was considered for it."),
  previousSecretEndsAt: Instant.nullable().describe(
    "Until when the secret before a rotation signs too, or null.",
  ),
  createdAt: Instant.describe("When it was created."),
  updatedAt: Instant.describe("When it was last changed."),
});

export const Webhook = WebhookFields.meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

const Secret = z
  .string()
  .describe("The signing secret, whsec_ and base64. Only this response has it: store it now.");

export const WebhookWithSecret = WebhookFields.extend({ secret: Secret }).meta({
  id: "WebhookWithSecret",
});

export const WebhookList = z
  .strictObject({ webhooks: z.array(Webhook).describe("Endpoints, oldest first.") })
  .meta({ id: "WebhookList" });

export const WebhookDeleted = z
  .strictObject({ id: z.string().describe("The endpoint that was deleted.") })
  .meta({ id: "WebhookDeleted" });

/** The message that tests an endpoint. */
export const EndpointTest = z
  .strictObject({
    type: z.literal("endpoint.test").describe("Always endpoint.test."),
    createdAt: Instant.describe("When it was sent."),
    data: z
      .strictObject({ webhookId: z.string().describe("The endpoint's id.") })
      .describe("What it is about."),
  })
  .meta({ id: "EndpointTest" });

/** The headers of a message (Standard Webhooks). */
export const WebhookHeaders = z.object({
  "webhook-id": z.string().describe("The id of the message, the same in every attempt."),
  "webhook-timestamp": z.string().describe("When it was sent, in seconds since 1970."),
  "webhook-signature": z
    .string()
    .describe("Its signatures, v1 and base64, one for each secret, with spaces between them."),
});

const Attempt = z
  .strictObject({
    at: Instant.describe("When it was sent."),
    durationMs: z.int().min(0).describe("How long it took, in milliseconds."),
    statusCode: z.int().nullable().describe("The status of the response, or null."),
    error: z.string().nullable().describe("Why there was no response, or null."),
    answer: z.string().nullable().describe("The start of the response's body, or null."),
  })
  .meta({ id: "WebhookAttempt" });
export type WebhookAttempt = z.output<typeof Attempt>;

export const WebhookTest = z
  .strictObject({
    webhook: Webhook.describe("The endpoint after the test."),
    acknowledged: z.boolean().describe("Whether it responded with a status of 200 to 299."),
    attempt: Attempt.describe("The request and its response."),
  })
  .meta({ id: "WebhookTest" });
export type WebhookTest = z.output<typeof WebhookTest>;

export const Delivery = z
  .strictObject({
    id: z.string().describe("The webhook-id header, the same in every attempt."),
    seq: Seq.describe("The number of the event."),
    previousSeq: Seq.describe("The number of the event that the endpoint was given before."),
    type: z.enum(ACCOUNT_EVENT_TYPES).describe("The type of the event."),
    status: z
      .enum(["pending", "delivered", "failed"])
      .describe("delivered once it was acknowledged; failed after the last attempt."),
    attemptCount: z.int().min(0).describe("How often it was sent, counted anew after a resend."),
    attempts: z.array(Attempt).describe("The newest 10 attempts, oldest first."),
    nextAttemptAt: Instant.nullable().describe("When it is sent next, or null."),
    deliveredAt: Instant.nullable().describe("When it was acknowledged, or null."),
    createdAt: Instant.describe("When it was enqueued."),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.output<typeof Delivery>;

export const DeliveryList = z
  .strictObject({
    deliveries: z.array(Delivery).describe("Deliveries, newest first."),
    nextCursor: z
      .string()
      .nullable()
      .describe("Pass it as nextCursor for the next page; null on the last page."),
  })
  .meta({ id: "WebhookDeliveryList" });

export const Replay = z
  .strictObject({
    after: Seq.describe("The number after which events are sent again."),
    events: z.int().min(0).describe("How many events are sent."),
  })
  .meta({ id: "WebhookReplay" });
