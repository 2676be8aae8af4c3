import "server-only";
import { buildComponents, buildReference } from "@/lib/api/components";
import {
  EVENT_MESSAGES,
  MESSAGE_SCHEMAS,
  type MessageDoc,
  TEST_MESSAGE,
  WEBHOOK_HEADERS,
} from "@/lib/api/event-messages";
import { env } from "@/lib/env";
import { StreamEnded } from "@/lib/schemas/events";

type Json = Record<string, unknown>;

const END_MESSAGE: MessageDoc = {
  type: "end",
  meaning: "The last message before the service ends the stream. It says why.",
  payload: buildReference(StreamEnded),
};

let text: string | undefined;

/**
 * The AsyncAPI 3.0 document of what the service sends: the stream of events, and webhooks. It is built
 * once, from the schemas that validate.
 */
export function asyncApiText(): string {
  text ??= JSON.stringify(buildDocument());
  return text;
}

function buildDocument(): Json {
  const origin = env().NEXTAUTH_URL;
  const { host, protocol } = new URL(origin);
  const inStream = [...EVENT_MESSAGES, END_MESSAGE];
  const inWebhooks = [...EVENT_MESSAGES, TEST_MESSAGE];
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Ante: events",
      version: "1.0.0",
      description:
        "What happened to an account, in order and without gaps: as server-sent events, and as webhooks " +
        "that follow Standard Webhooks. Types can be added; ignore those that you do not know.",
      contact: { name: "Ante", url: `${origin}/docs` },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      tags: [{ name: "Events", description: "Follow an account without missing anything." }],
    },
    defaultContentType: "application/json",
    servers: {
      ante: {
        host,
        protocol: protocol.replace(":", ""),
        description: "This server",
        security: [{ $ref: "#/components/securitySchemes/bearer" }],
      },
    },
    channels: {
      stream: {
        address: "/v1/events/stream",
        servers: [{ $ref: "#/servers/ante" }],
        description:
          "Server-sent events. The id is the number of the event. Last-Event-ID, or after, names the " +
          "last event that the reader has.",
        messages: buildReferences(inStream),
      },
      webhook: {
        address: null,
        description: "The address of an endpoint, which POST /v1/webhooks names.",
        messages: buildReferences(inWebhooks),
      },
    },
    operations: {
      streamEvents: {
        action: "send",
        channel: { $ref: "#/channels/stream" },
        summary: "Send the events of an account as they happen",
        description: "Replays what the reader missed and goes on without a gap or a repeat.",
        tags: [{ name: "Events" }],
      },
      deliverWebhook: {
        action: "send",
        channel: { $ref: "#/channels/webhook" },
        summary: "Post each event to an endpoint",
        description:
          "At least once, with the same webhook-id in every attempt. An ordered endpoint gets the next " +
          "event after it acknowledged the one before.",
        tags: [{ name: "Events" }],
      },
    },
    components: {
      messages: Object.fromEntries(
        [...inStream, TEST_MESSAGE].map((message) => [message.type, buildMessage(message)]),
      ),
      schemas: buildComponents([...MESSAGE_SCHEMAS, StreamEnded]),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key from the dashboard." },
      },
    },
  };
}

const buildReferences = (messages: readonly MessageDoc[]) =>
  Object.fromEntries(messages.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }]));

function buildMessage({ type, meaning, payload }: MessageDoc): Json {
  const properties = Object.fromEntries(
    WEBHOOK_HEADERS.map(({ name, description }) => [name, { type: "string", description }]),
  );
  return {
    name: type,
    title: type,
    summary: meaning,
    contentType: "application/json",
    // Only webhooks have them.
    ...(type === END_MESSAGE.type ? {} : { headers: { type: "object", properties } }),
    payload,
  };
}
