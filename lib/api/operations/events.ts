import "server-only";
import { z } from "zod";
import { ACCOUNT_EVENT_TYPES } from "@/lib/domain/account-events";
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
  exampleQuery: {
    after: "41",
    types: ACCOUNT_EVENT_TYPES.filter((type) => type.startsWith("fill.")).join(","),
  },
} as const satisfies Operation;
