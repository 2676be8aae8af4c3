import "server-only";
import { z } from "zod";
import { NO_INPUT, type Operation } from "@/lib/api/operations/operation";
import { Cursor, DeliveryId, Limit, ReplayCursor, WebhookId } from "@/lib/schemas/parameters";
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  Delivery,
  DeliveryList,
  Replay,
  Webhook,
  WebhookDeleted,
  WebhookList,
  WebhookTest,
  WebhookWithSecret,
} from "@/lib/schemas/webhooks";

const COMMON = {
  access: "webhooks",
  isInContract: false,
  group: "Webhooks",
  ...NO_INPUT,
} as const;
const OF_ENDPOINT = { ...COMMON, params: z.object({ webhookId: WebhookId }) } as const;
const ERRORS = ["WEBHOOK_NOT_FOUND", "TRADING_PAUSED"] as const;

export const listWebhooks = {
  ...COMMON,
  method: "GET",
  path: "/v1/webhooks",
  rate: "read",
  title: "Webhooks",
  summary: "List the webhook endpoints of the account",
  description: "Paper and live accounts have their own endpoints; the key's mode decides.",
  response: WebhookList,
  errors: ["TRADING_PAUSED"],
} as const satisfies Operation;

export const createWebhook = {
  ...COMMON,
  method: "POST",
  path: "/v1/webhooks",
  rate: "write",
  title: "Create a webhook",
  summary: "Add an endpoint that receives events",
  description:
    "Sends every event from now on as a signed POST request (Standard Webhooks).\n" +
    "- Before this response, the endpoint gets an `endpoint.test` message. If it acknowledges it " +
    "with a status of 200 to 299, its `status` is `active`.\n" +
    "- Otherwise it is `pending` and gets no events until it acknowledges a test.\n" +
    "- The response has the signing secret, which no other response repeats.",
  body: CreateWebhookBody,
  bodyDescription: "Only url is needed. An account can have 10 endpoints.",
  response: WebhookWithSecret,
  errors: ["TRADING_PAUSED"],
  exampleBodies: {
    "all events": { url: "https://example.com/hooks/ante" },
    "fills only": {
      url: "https://example.com/hooks/ante",
      types: ["fill.created", "fill.reversed"],
      ordered: false,
    },
  },
} as const satisfies Operation;

export const getWebhook = {
  ...OF_ENDPOINT,
  method: "GET",
  path: "/v1/webhooks/{webhookId}",
  rate: "read",
  title: "One webhook",
  summary: "Get one endpoint and its state",
  description: "Its address, types and status, and since when it fails.",
  response: Webhook,
  errors: ERRORS,
} as const satisfies Operation;

export const changeWebhook = {
  ...OF_ENDPOINT,
  method: "PATCH",
  path: "/v1/webhooks/{webhookId}",
  rate: "write",
  title: "Change a webhook",
  summary: "Change an endpoint's address, types, order or status",
  description:
    "Fields that are left out stay as they are. A new url, and a status of active, send a test " +
    "message: the endpoint is pending until it acknowledges one. It then gets every event since it " +
    "last did.",
  body: ChangeWebhookBody,
  bodyDescription: "Every field is optional.",
  response: Webhook,
  errors: ERRORS,
  exampleBodies: {
    "resume deliveries": { status: "active" },
    "all types": { types: null },
  },
} as const satisfies Operation;

export const deleteWebhook = {
  ...OF_ENDPOINT,
  method: "DELETE",
  path: "/v1/webhooks/{webhookId}",
  rate: "write",
  title: "Delete a webhook",
  summary: "Delete an endpoint and end its deliveries",
  description: "Deletes the endpoint with its secret and its deliveries.",
  response: WebhookDeleted,
  errors: ERRORS,
} as const satisfies Operation;

export const rotateWebhook = {
  ...OF_ENDPOINT,
  method: "POST",
  path: "/v1/webhooks/{webhookId}/rotate",
  rate: "write",
  title: "Rotate the secret",
  summary: "Replace the signing secret",
  description:
    "Returns a new secret. For 24 hours messages carry two signatures, of the new and of the former " +
    "secret.",
  response: WebhookWithSecret,
  errors: ERRORS,
  exampleValues: { previousSecretEndsAt: "2026-11-22T12:00:00.000Z" },
} as const satisfies Operation;

export const testWebhook = {
  ...OF_ENDPOINT,
  method: "POST",
  path: "/v1/webhooks/{webhookId}/test",
  rate: "write",
  title: "Test a webhook",
  summary: "Send a signed test message now",
  description:
    "Sends one endpoint.test message and returns what came back. A pending endpoint that " +
    "acknowledges it becomes active.",
  response: WebhookTest,
  errors: ERRORS,
} as const satisfies Operation;

export const listDeliveries = {
  ...OF_ENDPOINT,
  method: "GET",
  path: "/v1/webhooks/{webhookId}/deliveries",
  rate: "read",
  title: "Deliveries",
  summary: "List the deliveries to an endpoint, newest first",
  description: "Every event on its way to the endpoint, with its attempts and their responses.",
  query: z.object({ limit: Limit, nextCursor: Cursor }),
  response: DeliveryList,
  errors: ERRORS,
} as const satisfies Operation;

export const resendDelivery = {
  ...OF_ENDPOINT,
  method: "POST",
  path: "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
  rate: "write",
  title: "Resend a delivery",
  summary: "Send one event again",
  description:
    "Sends the event again, with the same webhook-id and a fresh schedule of attempts. An ordered " +
    "endpoint gets it before later events.",
  params: z.object({ webhookId: WebhookId, deliveryId: DeliveryId }),
  response: Delivery,
  errors: ERRORS,
  exampleValues: {
    "WebhookDelivery.status": "pending",
    "WebhookDelivery.nextAttemptAt": "2026-11-21T12:00:00.000Z",
    deliveredAt: null,
  },
} as const satisfies Operation;

export const replayEvents = {
  ...OF_ENDPOINT,
  method: "POST",
  path: "/v1/webhooks/{webhookId}/replay",
  rate: "write",
  title: "Replay events",
  summary: "Send all events after a number again",
  description:
    "Sends the events after a number again, in order and as new messages. Without after: from the " +
    "start of the current epoch.",
  query: z.object({ after: ReplayCursor }),
  response: Replay,
  errors: ["INVALID_CURSOR", ...ERRORS],
  exampleQuery: { after: "0" },
  exampleValues: { after: 0, events: 42 },
} as const satisfies Operation;
