import "server-only";
import { NO_INPUT, type Operation } from "@/lib/api/operations/operation";
import { FrozenKey, KeyWithLimits, LowerLimitsBody } from "@/lib/schemas/limits";

const COMMON = { isInContract: false, group: "Account", access: "key", ...NO_INPUT } as const;

export const getKey = {
  ...COMMON,
  method: "GET",
  path: "/v1/key",
  rate: "read",
  title: "This key",
  summary: "Get this API key's scopes, limits and state",
  description:
    "The key that made the request: its mode, scopes, expiry and last use; the limits that apply to " +
    "it, whether they are its own, its account's or its user's; and whether it is frozen. Amounts " +
    "are decimal text.",
  response: KeyWithLimits,
  errors: [],
} as const satisfies Operation;

export const lowerLimits = {
  ...COMMON,
  method: "PATCH",
  path: "/v1/key",
  rate: "write",
  title: "Lower limits",
  summary: "Give this key lower limits",
  description:
    "Lowers limits of the key that made the request, or adds some. Only its owner can raise or remove " +
    "them, in the dashboard. Limits that are left out stay as they are.",
  body: LowerLimitsBody,
  bodyDescription: "Only the limits that change.",
  response: KeyWithLimits,
  errors: [],
  exampleBodies: { "a smaller day": { limits: { perDay: "50" } } },
} as const satisfies Operation;

export const freezeKey = {
  ...COMMON,
  method: "POST",
  path: "/v1/freeze",
  rate: "write",
  title: "Freeze this key",
  summary: "Stop this key from placing orders, and cancel its open ones",
  description:
    "Freezes the key that made the request: from the response on it places nothing, and its open orders " +
    "are canceled. Only its owner can thaw it, in the dashboard. A repeated request changes nothing.",
  response: FrozenKey,
  errors: [],
} as const satisfies Operation;
