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
  summary: "What happened to the account, in order and without gaps",
  description:
    "Everything that changed the account: orders, fills, positions, cash, keys. Events are numbered " +
    "1, 2, 3 and so on in the order in which they were committed. Keep the last number that you have " +
    "handled and ask for what comes after it.",
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
  summary: "The same events as they happen, as server-sent events",
  description:
    "Each event has its number as the id and its type as the name; the data is the event as " +
    "GET /v1/events gives it. The header Last-Event-ID, or after, names the last event that you have: " +
    "everything since is sent first, then what happens, without a gap or a repeat. Without either, the " +
    "stream starts now. A comment names the number of the last event every 15 seconds. Before the " +
    "service ends a stream it sends an event named end with the reason: shutdown, key_revoked or " +
    "slow_reader.",
  ...NO_INPUT,
  query: z.object({ after: SeqCursor, types: EventTypesFilter }),
  response: z.string(),
  isStream: true,
  errors: ["INVALID_CURSOR", "TRADING_PAUSED"],
} as const satisfies Operation;
