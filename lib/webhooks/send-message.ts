import "server-only";
import { now } from "@/lib/clock";
import type { DeliveryAttempt } from "@/lib/db/schema/webhooks";
import { env } from "@/lib/env";
import { sendOutbound } from "@/lib/webhooks/send";
import { signMessage } from "@/lib/webhooks/sign";

/** The most of a response's body that is kept. */
const MAX_ANSWER = 2_000;

export interface Message {
  url: string;
  /** The `webhook-id`. */
  id: string;
  body: string;
  /** Every one of them signs. */
  secrets: readonly string[];
}

export interface SentMessage {
  attempt: DeliveryAttempt;
  /** Whether the receiver acknowledged the message with a status of 200 to 299. */
  isAcknowledged: boolean;
  /** How long the receiver asks to wait; null if it doesn't. */
  retryAfterMs: number | null;
}

/** Signs a message and sends it once. */
export async function sendMessage({ url, id, body, secrets }: Message): Promise<SentMessage> {
  const at = new Date(now());
  const headers = {
    "content-type": "application/json",
    ...signMessage({ id, timestamp: at, body }, secrets),
  };
  const allowsPrivate = env().WEBHOOK_ALLOW_PRIVATE;
  const result = await sendOutbound({ url, headers, body, allowsPrivate });
  const common = { at: at.toISOString(), durationMs: result.durationMs, headers };
  if (result.outcome === "failed") {
    const attempt = { ...common, statusCode: null, error: result.reason, answer: null };
    return { attempt, isAcknowledged: false, retryAfterMs: null };
  }
  const { status, retryAfterMs } = result;
  const answer = cutAnswer(result.body);
  return {
    attempt: { ...common, statusCode: status, error: null, answer },
    isAcknowledged: status >= 200 && status < 300,
    retryAfterMs,
  };
}

/** Cuts a body to what is kept. Postgres rejects NUL. */
const cutAnswer = (body: string) => body.slice(0, MAX_ANSWER).replaceAll("\0", "\uFFFD");
