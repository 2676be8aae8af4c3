import "server-only";
import { z } from "zod";
import { buildReference } from "@/lib/api/components";
import {
  ACCOUNT_EVENT_TYPES,
  type AccountEventType,
  EVENT_MEANINGS,
} from "@/lib/domain/account-events";
import { AccountEvent } from "@/lib/schemas/events";
import { EndpointTest, WebhookHeaders } from "@/lib/schemas/webhooks";

type Json = Record<string, unknown>;

/** A message that the service sends, as the documents for tools describe it. */
export interface MessageDoc {
  /** The type of an event, or the name of another message. */
  type: string;
  meaning: string;
  payload: Json;
}

/** The schemas that the messages are made of. */
export const MESSAGE_SCHEMAS = [...AccountEvent.options, EndpointTest] as const;

/** The messages of every event. */
export const EVENT_MESSAGES: readonly MessageDoc[] = ACCOUNT_EVENT_TYPES.map((type) => ({
  type,
  meaning: EVENT_MEANINGS[type],
  payload: buildPayload(type),
}));

/** The message that a webhook endpoint gets before any event. */
export const TEST_MESSAGE: MessageDoc = {
  type: "endpoint.test",
  meaning: "A test. The endpoint becomes active when it acknowledges it.",
  payload: buildReference(EndpointTest),
};

/** The headers of a webhook, by name, with what they say. */
export const WEBHOOK_HEADERS = Object.entries(WebhookHeaders.shape).map(([name, schema]) => ({
  name,
  description: schema.description ?? "",
}));

/** Returns the schema of an event's type: what carries several types, with this one. */
function buildPayload(type: AccountEventType): Json {
  const variant = AccountEvent.options.find((option) => option.shape.type.safeParse(type).success);
  return {
    allOf: [
      buildReference(variant ?? z.never()),
      { type: "object", properties: { type: { const: type } } },
    ],
  };
}
