import "server-only";
import { z } from "zod";
import { NO_INPUT, type Operation } from "@/lib/api/operations/operation";
import { EventList } from "@/lib/schemas/events";
import {
  EpochFilter,
  Limit,
  SeqCursor,
  EventTypesFilter,
  WaitSeconds,
} from "@/lib/schemas/parameters";

export const listEvents = {
  method: "GET",
  path: "/v1/events",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Events",
  title: "Events",
  summary: "List every change to the account, in order and without gaps",
  description:
    "Everything that changed the account: orders, fills, positions, cash, keys. Events are numbered " +
    "1, 2, 3 and so on in the order in which they were committed.\n" +
    "- Store the `seq` of the last event that you have handled, and send it as `after`.\n" +
    "- `waitSeconds` holds the response until there is an event.\n" +
    "- `lastSeq` above your last number means that there is more. Ask again at once.",
  ...NO_INPUT,
  query: z.object({
    after: SeqCursor,
    epoch: EpochFilter,
    types: EventTypesFilter,
    limit: Limit,
    waitSeconds: WaitSeconds,
  }),
  response: EventList,
  errors: ["INVALID_CURSOR", "TRADING_PAUSED"],
  exampleQuery: { after: "0", types: "order.filled" },
  exampleValues: { previousSeq: 0 },
} as const satisfies Operation;

export const streamEvents = {
  method: "GET",
  path: "/v1/events/stream",
  access: "read",
  rate: "read",
  isInContract: false,
  group: "Events",
  title: "Event stream",
  summary: "Stream the same events live, as server-sent events",
  description:
    "Sends each event with its number as `id`, its type as `event`, and as `data` the event as " +
    "`GET /v1/events` returns it.\n" +
    "- `after`, or the header `Last-Event-ID`, names the last event that you have. Everything since is " +
    "sent first, then what happens, without a gap or a repeat. Without either, the stream starts now.\n" +
    "- Every 15 seconds a comment names the last number, so a quiet account differs from a broken " +
    "connection.\n" +
    "- Before the service ends a stream, it sends an event named `end` with the reason: `shutdown`, " +
    "`key_revoked` or `slow_reader`. A stream that ends without it was cut. Connect again with your " +
    "last number.",
  ...NO_INPUT,
  query: z.object({ after: SeqCursor, types: EventTypesFilter }),
  response: z.string(),
  isStream: true,
  errors: ["INVALID_CURSOR", "TRADING_PAUSED"],
} as const satisfies Operation;
