import "server-only";
import { env } from "@/lib/env";
import { shares, usdc } from "@/lib/units";
import { authorize } from "@/lib/venue/polymarket/auth";
import {
  NoAnswer,
  parseJson,
  retryAfterMs,
  send,
  type UpstreamReply,
} from "@/lib/venue/polymarket/http";
import { meaningOf, unknownRefusal } from "@/lib/venue/polymarket/placement-errors";
import { CancelReply, PostReply } from "@/lib/venue/polymarket/wire/orders";
import type { PostableOrder, PostResult, RemoteCancel, RemoteVenue } from "@/lib/venue/port";
import { z } from "zod";

type AcceptedStatus = Extract<PostResult, { outcome: "accepted" }>["status"];
const STATUSES: Record<string, AcceptedStatus> = {
  live: "open",
  matched: "matched",
  delayed: "delayed",
};
const ErrorBody = z.object({ error: z.string() });

export const postOrder: RemoteVenue["postOrder"] = async (trader, order) => {
  const request = authorize(trader, {
    service: "clob",
    method: "POST",
    path: "/order",
    body: order.body,
  });
  try {
    return readPost(order, await send(request, env().SUBMIT_ATTEMPT_TIMEOUT_MS));
  } catch (error) {
    return fromNoAnswer(error);
  }
};

export const cancelOrder: RemoteVenue["cancelOrder"] = async (trader, venueOrderId) => {
  const body = JSON.stringify({ orderID: venueOrderId });
  const request = authorize(trader, { service: "clob", method: "DELETE", path: "/order", body });
  try {
    return readCancel(venueOrderId, await send(request, env().SUBMIT_ATTEMPT_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof NoAnswer) return UNKNOWN_CANCEL;
    throw error;
  }
};

/** What an answer to a posted order proves (polymarket.md 9.4, architecture.md 4). */
export function readPost(order: PostableOrder, reply: UpstreamReply): PostResult {
  const body = parseJson(reply.text);
  if (reply.status >= 200 && reply.status < 300) return readAcceptance(order, body);
  const parsed = ErrorBody.safeParse(body);
  // A page of a proxy says nothing about what stood behind it.
  const text = parsed.success ? parsed.data.error : null;
  if (reply.status >= 500) return unknown(pausedMessage(text));
  switch (reply.status) {
    case 400:
    case 404:
      return text === null ? unknown() : readRefusal(text, order.action, reply);
    case 401:
      return notPlaced("UPSTREAM_AUTH_FAILED", "the venue refused our credentials", reply);
    case 403: {
      const meaning = text === null ? null : meaningOf(text, order.action);
      if (meaning?.kind === "refused") return { ...meaning, outcome: "rejected" };
      return notPlaced("UPSTREAM_AUTH_FAILED", "the venue does not let this service in", reply);
    }
    case 429:
      if (!isFromLimiter(reply)) return unknown();
      return notPlaced("UPSTREAM_RATE_LIMITED", "the venue limits this wallet's orders", reply);
    default:
      return unknown();
  }
}

function readAcceptance(order: PostableOrder, body: unknown): PostResult {
  const parsed = PostReply.safeParse(body);
  if (!parsed.success) return unknown();
  const { success, errorMsg, orderID, status, makingAmount, takingAmount, tradeIDs } = parsed.data;
  if (errorMsg) return readRefusal(errorMsg, order.action, null);
  const isOurs = orderID?.toLowerCase() === order.venueOrderId;
  const known = STATUSES[status?.toLowerCase() ?? ""];
  // Another order's id, or a status nobody has told of: whatever happened, it is not this.
  if (!success || !isOurs || known === undefined) return unknown();
  const isBuy = order.action === "BUY";
  return {
    outcome: "accepted",
    status: known,
    filledShares: shares(isBuy ? takingAmount : makingAmount),
    filledNotional: usdc(isBuy ? makingAmount : takingAmount),
    tradeIds: tradeIDs ?? [],
  };
}

function readRefusal(
  text: string,
  action: PostableOrder["action"],
  reply: UpstreamReply | null,
): PostResult {
  const meaning = meaningOf(text, action);
  switch (meaning?.kind) {
    case "duplicate":
      return { outcome: "duplicate" };
    case "paused":
      return notPlaced(meaning.code, meaning.message, reply);
    case "unclear":
      return unknown();
    case "refused":
      return { outcome: "rejected", code: meaning.code, message: meaning.message };
    default:
      return { outcome: "rejected", ...unknownRefusal(text) };
  }
}

/** What an answer to a cancel proves of the order that was meant. */
export function readCancel(venueOrderId: string, reply: UpstreamReply): RemoteCancel {
  const parsed = CancelReply.safeParse(parseJson(reply.text));
  if (reply.status !== 200 || !parsed.success) return UNKNOWN_CANCEL;
  if (parsed.data.canceled.some((id) => id.toLowerCase() === venueOrderId)) {
    return { outcome: "canceled" };
  }
  const missed = Object.keys(parsed.data.not_canceled ?? {});
  return missed.some((id) => id.toLowerCase() === venueOrderId)
    ? { outcome: "not_open" }
    : UNKNOWN_CANCEL;
}

const UNKNOWN_CANCEL: RemoteCancel = {
  outcome: "unknown",
  code: "CANCEL_OUTCOME_UNKNOWN",
  message: "the venue did not say what became of the order; it will be asked again",
};

const UNKNOWN_MESSAGE =
  "the venue has not said whether it took the order; repeat the request with the same idempotencyKey";

function unknown(paused: string | null = null): PostResult {
  return paused === null
    ? { outcome: "unknown", code: "ORDER_OUTCOME_UNKNOWN", message: UNKNOWN_MESSAGE }
    : { outcome: "unknown", code: "TRADING_PAUSED", message: paused };
}

function pausedMessage(text: string | null): string | null {
  const meaning = text === null ? null : meaningOf(text, "BUY");
  return meaning?.kind === "paused" ? meaning.message : null;
}

type Refused = Extract<PostResult, { outcome: "not_placed" }>;

function notPlaced(code: Refused["code"], message: string, reply: UpstreamReply | null): Refused {
  const wait = reply === null ? 0 : retryAfterMs(reply.headers);
  return { outcome: "not_placed", code, message, retryAfterMs: wait };
}

/** Only the limiter's own answer proves that an order went no further (polymarket.md 9.1). */
function isFromLimiter({ headers }: UpstreamReply): boolean {
  return retryAfterMs(headers) > 0 || "poly-ratelimit-remaining" in headers;
}

/** What it proves that no answer came. */
export function fromNoAnswer(error: unknown): PostResult {
  if (!(error instanceof NoAnswer)) throw error;
  if (error.isSent) return unknown();
  return notPlaced("UPSTREAM_UNAVAILABLE", "the venue cannot be reached", null);
}
