import "server-only";
import { env } from "@/lib/env";
import { authorize } from "@/lib/polymarket/auth";
import {
  NoResponse,
  parseJson,
  send,
  type UpstreamReply,
  type UpstreamRequest,
} from "@/lib/polymarket/http";
import { CancelReply } from "@/lib/polymarket/wire/orders";
import type { RemoteCancel, RemoteVenue } from "@/lib/venue/port";
import type { Trader } from "@/lib/venue/trader";

export const cancelOrder: RemoteVenue["cancelOrder"] = async (trader, venueOrderId) => {
  const body = JSON.stringify({ orderID: venueOrderId });
  const request = authorize(trader, { service: "clob", method: "DELETE", path: "/order", body });
  try {
    return readCancel(venueOrderId, await send(request, env().SUBMIT_ATTEMPT_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof NoResponse) return UNKNOWN_CANCEL;
    throw error;
  }
};

/** Maximum batch size: the limiter counts each order and rejects batches above its burst (9.1). */
const CANCELS_AT_ONCE = 100;

export const cancelOrders: RemoteVenue["cancelOrders"] = async (
  trader,
  venueOrderIds,
  timeoutMs,
) => {
  const batches = Array.from(
    { length: Math.ceil(venueOrderIds.length / CANCELS_AT_ONCE) },
    (_, index) => venueOrderIds.slice(index * CANCELS_AT_ONCE, (index + 1) * CANCELS_AT_ONCE),
  );
  const outcomes = await Promise.all(
    batches.map(async (ids) => {
      const request = { method: "DELETE", path: "/orders", body: JSON.stringify(ids) } as const;
      const reply = await sendCancel(trader, request, timeoutMs);
      return reply === null ? [] : [...readCancels(reply)].filter(([id]) => ids.includes(id));
    }),
  );
  return new Map(outcomes.flat());
};

export const cancelAll: RemoteVenue["cancelAll"] = async (trader, marketId, timeoutMs) => {
  const request =
    marketId === null
      ? ({ method: "DELETE", path: "/cancel-all" } as const)
      : ({
          method: "DELETE",
          path: "/cancel-market-orders",
          body: JSON.stringify({ market: marketId }),
        } as const);
  const reply = await sendCancel(trader, request, timeoutMs);
  if (reply === null || !isCancelReply(reply)) return null;
  const canceled = [...readCancels(reply)].filter(([, outcome]) => outcome === "canceled");
  return new Set(canceled.map(([id]) => id));
};

/** Sends a cancel; null if no response arrived. */
async function sendCancel(
  trader: Trader,
  request: Omit<UpstreamRequest, "service">,
  timeoutMs: number,
): Promise<UpstreamReply | null> {
  try {
    return await send(authorize(trader, { ...request, service: "clob" }), timeoutMs);
  } catch (error) {
    if (error instanceof NoResponse) return null;
    throw error;
  }
}

/** Decides what the response to a cancel proves about the order. */
export function readCancel(venueOrderId: string, reply: UpstreamReply): RemoteCancel {
  const outcome = readCancels(reply).get(venueOrderId) ?? "unknown";
  return outcome === "unknown" ? UNKNOWN_CANCEL : { outcome };
}

const isCancelReply = ({ status, text }: UpstreamReply) =>
  status === 200 && CancelReply.safeParse(parseJson(text)).success;

/** Returns the outcome of each order in the response to a cancel; a contradiction is unknown. */
export function readCancels(reply: UpstreamReply): Map<string, RemoteCancel["outcome"]> {
  const outcomes = new Map<string, RemoteCancel["outcome"]>();
  const parsed = CancelReply.safeParse(parseJson(reply.text));
  if (reply.status !== 200 || !parsed.success) return outcomes;
  for (const id of parsed.data.canceled) outcomes.set(id.toLowerCase(), "canceled");
  for (const id of Object.keys(parsed.data.not_canceled ?? {})) {
    const other = outcomes.get(id.toLowerCase());
    outcomes.set(id.toLowerCase(), other === undefined ? "not_open" : "unknown");
  }
  return outcomes;
}

const UNKNOWN_CANCEL: RemoteCancel = {
  outcome: "unknown",
  code: "CANCEL_OUTCOME_UNKNOWN",
  message: "The venue has not confirmed the cancel yet. Ante repeats it until the venue does.",
};
