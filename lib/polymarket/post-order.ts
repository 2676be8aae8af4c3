import "server-only";
import { env } from "@/lib/env";
import { shares, usdc } from "@/lib/units";
import { authorize } from "@/lib/polymarket/auth";
import {
  NoResponse,
  parseJson,
  PermissionEnded,
  retryAfterMs,
  send,
  type UpstreamReply,
} from "@/lib/polymarket/http";
import { parseMeaning, quoteRefusal } from "@/lib/polymarket/placement-errors";
import { PostReply, TakenSigns } from "@/lib/polymarket/wire/orders";
import type { PostableOrder, PostResult, RemoteVenue } from "@/lib/venue/port";
import { z } from "zod";

type AcceptedStatus = Extract<PostResult, { outcome: "accepted" }>["status"];
const STATUSES: Record<string, AcceptedStatus> = {
  live: "open",
  matched: "matched",
  delayed: "delayed",
};
const ErrorBody = z.object({ error: z.string() });

export const postOrder: RemoteVenue["postOrder"] = async (trader, order, permission) => {
  const request = authorize(trader, {
    service: "clob",
    method: "POST",
    path: "/order",
    body: order.body,
  });
  try {
    const timeoutMs = Math.floor(Math.min(env().SUBMIT_ATTEMPT_TIMEOUT_MS, permission.leftMs));
    if (timeoutMs <= 0) return { outcome: "not_sent" };
    return readPost(order, await send(request, timeoutMs, permission));
  } catch (error) {
    if (error instanceof PermissionEnded) return { outcome: "not_sent" };
    return toPostResult(error);
  }
};

/**
 * Decides what the response to a post proves (polymarket.md 9.4, architecture.md 4). A contradictory
 * response proves nothing.
 */
export function readPost(order: PostableOrder, reply: UpstreamReply): PostResult {
  if (isBlock(reply)) return BLOCKED;
  const body = parseJson(reply.text);
  if (reply.status >= 200 && reply.status < 300) return readAcceptance(order, body);
  const parsed = ErrorBody.safeParse(body);
  // An HTML page of a proxy proves nothing about the venue.
  const text = parsed.success ? parsed.data.error : null;
  if (reply.status >= 500) return createUnknown(findPausedMessage(text));
  if (saysAccepted(body)) return createUnknown();
  switch (reply.status) {
    case 400:
    case 404:
      return text === null ? createUnknown() : readRefusal(text, order.action, reply);
    case 401:
      return createNotPlaced(
        "UPSTREAM_AUTH_FAILED",
        "The venue rejected this wallet's credentials.",
        reply,
      );
    case 403: {
      const meaning = text === null ? null : parseMeaning(text, order.action);
      return meaning?.kind === "refused" ? { ...meaning, outcome: "rejected" } : BLOCKED;
    }
    case 429:
      if (!isFromLimiter(reply)) return createUnknown();
      return createNotPlaced(
        "UPSTREAM_RATE_LIMITED",
        "The venue limits the number of this wallet's orders.",
        reply,
      );
    default:
      return createUnknown();
  }
}

function readAcceptance(order: PostableOrder, body: unknown): PostResult {
  const parsed = PostReply.safeParse(body);
  if (!parsed.success) return createUnknown();
  const { success, errorMsg, orderID, status, makingAmount, takingAmount, tradeIDs } = parsed.data;
  if (errorMsg) {
    // A duplicate proves that an earlier post arrived, and nothing about this one.
    const isDuplicate = parseMeaning(errorMsg, order.action)?.kind === "duplicate";
    if (!isDuplicate && saysAccepted(body)) return createUnknown();
    return readRefusal(errorMsg, order.action, null);
  }
  const isOurs = orderID?.toLowerCase() === order.venueOrderId;
  const known = STATUSES[status?.toLowerCase() ?? ""];
  // Another order's id or an unknown status proves nothing about this order.
  if (!success || !isOurs || known === undefined || saysError(body)) return createUnknown();
  // A match without amounts does not prove that nothing was filled.
  if (known === "matched" && (makingAmount === 0n || takingAmount === 0n)) return createUnknown();
  const isBuy = order.action === "BUY";
  return {
    outcome: "accepted",
    status: known,
    filledShares: shares(isBuy ? takingAmount : makingAmount),
    filledNotional: usdc(isBuy ? makingAmount : takingAmount),
    tradeIds: tradeIDs ?? [],
  };
}

/** Whether any field says that the order was accepted. A refusal in the same body is then no proof. */
function saysAccepted(body: unknown): boolean {
  const parsed = TakenSigns.safeParse(body);
  if (!parsed.success) return false;
  const { success, orderID, status, tradeIDs, transactionsHashes } = parsed.data;
  const { makingAmount, takingAmount } = parsed.data;
  return (
    success === true ||
    [orderID, status, tradeIDs, transactionsHashes].some(isPresent) ||
    [makingAmount, takingAmount].some((amount) => isPresent(amount) && Number(amount) !== 0)
  );
}

function saysError(body: unknown): boolean {
  const parsed = TakenSigns.safeParse(body);
  return parsed.success && isPresent(parsed.data.error);
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !Array.isArray(value) || value.length > 0;
}

/**
 * Whether a firewall in front of the venue responded, such as Cloudflare's: with a challenge header,
 * or an HTML page with one of these statuses. Retries make the block worse (polymarket.md 9.2).
 */
function isBlock({ status, headers, text }: UpstreamReply): boolean {
  if ("cf-mitigated" in headers || status === 451) return true;
  const isPage = /^\s*</.test(text) || (headers["content-type"] ?? "").includes("text/html");
  return isPage && (status === 401 || status === 403 || status === 429);
}

function readRefusal(
  text: string,
  action: PostableOrder["action"],
  reply: UpstreamReply | null,
): PostResult {
  const meaning = parseMeaning(text, action);
  switch (meaning?.kind) {
    case "duplicate":
      return { outcome: "duplicate" };
    case "paused":
      return createNotPlaced(meaning.code, meaning.message, reply);
    case "unclear":
      return createUnknown();
    case "refused": {
      const { kind: _, ...refusal } = meaning;
      return { outcome: "rejected", ...refusal };
    }
    default:
      return { outcome: "rejected", ...quoteRefusal(text) };
  }
}

const UNKNOWN_MESSAGE =
  "The venue has not confirmed the order yet. Repeat the request with the same idempotencyKey.";

const BLOCKED: PostResult = {
  outcome: "blocked",
  code: "ORDER_OUTCOME_UNKNOWN",
  message:
    "A firewall in front of the venue blocks this service, so the outcome of the order is unknown. The operator must fix it. Repeat the request with the same idempotencyKey later.",
};

function createUnknown(paused: string | null = null): PostResult {
  return paused === null
    ? { outcome: "unknown", code: "ORDER_OUTCOME_UNKNOWN", message: UNKNOWN_MESSAGE }
    : { outcome: "unknown", code: "TRADING_PAUSED", message: paused };
}

function findPausedMessage(text: string | null): string | null {
  const meaning = text === null ? null : parseMeaning(text, "BUY");
  return meaning?.kind === "paused" ? meaning.message : null;
}

type Refused = Extract<PostResult, { outcome: "not_placed" }>;

function createNotPlaced(
  code: Refused["code"],
  message: string,
  reply: UpstreamReply | null,
): Refused {
  const wait = reply === null ? 0 : retryAfterMs(reply.headers);
  return { outcome: "not_placed", code, message, retryAfterMs: wait };
}

/** Only a response of the rate limiter proves that the order was not processed (polymarket.md 9.1). */
function isFromLimiter({ headers }: UpstreamReply): boolean {
  return retryAfterMs(headers) > 0 || "poly-ratelimit-remaining" in headers;
}

/** Decides what a missing response proves. */
export function toPostResult(error: unknown): PostResult {
  if (!(error instanceof NoResponse)) throw error;
  if (error.isSent) return createUnknown();
  return createNotPlaced("UPSTREAM_UNAVAILABLE", "The venue cannot be reached.", null);
}
