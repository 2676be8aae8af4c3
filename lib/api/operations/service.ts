import "server-only";
import { z } from "zod";
import { NO_INPUT, type Operation } from "@/lib/api/operations/operation";
import { Health } from "@/lib/schemas/account";

export const getHealth = {
  method: "GET",
  path: "/health",
  access: "open",
  rate: "read",
  isInContract: true,
  group: "Service",
  title: "Health",
  summary: "Check whether the service is available",
  description: "Open to all. 502 when the service cannot do its work.",
  ...NO_INPUT,
  response: Health,
  errors: [],
} as const satisfies Operation;

export const getOpenApi = {
  method: "GET",
  path: "/v1/openapi.json",
  access: "open",
  rate: "read",
  isInContract: false,
  group: "Service",
  title: "OpenAPI document",
  summary: "Get this reference as an OpenAPI document",
  description:
    "Open to all, without the envelope, so that tools can read it. This reference is made from it.",
  ...NO_INPUT,
  response: z.unknown(),
  isDocument: true,
  errors: [],
} as const satisfies Operation;

export const getAsyncApi = {
  ...getOpenApi,
  path: "/v1/asyncapi.json",
  title: "AsyncAPI document",
  summary: "Get the messages of the event stream and of webhooks",
  description:
    "Open to all, without the envelope, so that tools can read it. AsyncAPI 3.0, from the schemas of " +
    "GET /v1/events.",
} as const satisfies Operation;
