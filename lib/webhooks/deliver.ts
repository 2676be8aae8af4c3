import "server-only";
import { monotonic, now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  leaseDeliveries,
  recordAttempt,
  type WebhookDeliveryRow,
} from "@/lib/db/queries/webhook-deliveries";
import {
  lockActiveEndpoint,
  selectActiveEndpoint,
  selectEndpointsWithWork,
  updateEndpoint,
  type WebhookEndpointRow,
} from "@/lib/db/queries/webhooks";
import { type Dispatch, dispatchDue, startDispatch } from "@/lib/dispatch";
import type { StopJob } from "@/lib/schedule";
import { disableEndpoint } from "@/lib/webhooks/disable-endpoint";
import { openSecrets } from "@/lib/custody/webhook-secret";
import { enqueueEvents } from "@/lib/webhooks/enqueue";
import { readEventBody } from "@/lib/webhooks/event-body";
import { computeDelay, MAX_ATTEMPTS } from "@/lib/webhooks/schedule";
import { sendMessage, type SentMessage } from "@/lib/webhooks/send-message";

const POLL_EVERY_MS = 250;
/** Longer than a request takes, so a delivery has two senders only after one of them has died. */
const LEASE_MS = 20_000;
/** How many endpoints this process sends to at the same time. */
const MAX_ENDPOINTS = 8;
/** How many requests an endpoint without an order gets at the same time. */
const UNORDERED_BATCH = 8;
/** How long an endpoint is served before others get its place. */
const TURN_MS = 5_000;
/** An endpoint that fails for this long is disabled. */
const DISABLE_AFTER_MS = 5 * 24 * 3600 * 1000;
/** How many attempts of a delivery are kept. */
const KEPT_ATTEMPTS = 10;
const GONE = 410;

const DELIVERIES: Dispatch = {
  name: "webhook deliveries",
  everyMs: POLL_EVERY_MS,
  limit: MAX_ENDPOINTS,
  find: async () => selectEndpointsWithWork(await getDb()),
  serve: serveEndpoint,
  describe: (webhookId) => ({ webhookId }),
};

/** Starts the deliveries, which any number of processes share. */
export const startWebhooks = (): StopJob => startDispatch(DELIVERIES);

/** Delivers everything that is due, for at most `forMs`, for hosts without a process that stays. */
export const deliverDue = (forMs: number): Promise<void> => dispatchDue(DELIVERIES, forMs);

/** Sends to an endpoint until nothing is due or its turn is over. */
async function serveEndpoint(id: string, mayContinue: () => boolean): Promise<void> {
  const end = monotonic() + TURN_MS;
  await enqueueEvents(id);
  while (mayContinue() && monotonic() < end) {
    if (!(await deliverNext(id))) return;
  }
}

/** Sends the next deliveries of an endpoint: one if it is ordered. Returns whether there were any. */
async function deliverNext(id: string): Promise<boolean> {
  const db = await getDb();
  const endpoint = await selectActiveEndpoint(db, id);
  if (!endpoint) return false;
  const deliveries = await leaseDeliveries(db, endpoint, {
    leaseMs: LEASE_MS,
    limit: UNORDERED_BATCH,
  });
  if (deliveries.length === 0) return false;
  const secrets = await openSecrets(endpoint);
  await Promise.all(
    deliveries.map(async (delivery) => {
      const body = await readEventBody(db, endpoint, delivery);
      const sent = await sendMessage({ url: endpoint.url, id: delivery.id, body, secrets });
      await finishAttempt(endpoint, delivery, sent);
    }),
  );
  return true;
}

/** Records an attempt, and what it means for the endpoint. */
function finishAttempt(
  endpoint: WebhookEndpointRow,
  delivery: WebhookDeliveryRow,
  sent: SentMessage,
): Promise<void> {
  return withTransaction(async (tx) => {
    const attempts = [...delivery.attempts, sent.attempt].slice(-KEPT_ATTEMPTS);
    if (sent.isAcknowledged) {
      if (endpoint.failingSince) await updateEndpoint(tx, endpoint.id, { failingSince: null });
      await recordAttempt(tx, delivery, { status: "delivered", attempts, delayMs: 0 });
      return;
    }
    const locked = await lockActiveEndpoint(tx, endpoint.id);
    const delay = computeNextDelay(endpoint, delivery, sent);
    const record = {
      status: delay === null ? ("failed" as const) : ("pending" as const),
      attempts,
      delayMs: delay ?? 0,
    };
    const isRecorded = await recordAttempt(tx, delivery, record);
    if (isRecorded && locked) await countFailure(tx, locked, sent);
  });
}

/**
 * Returns how long to wait for the next attempt; null if there is none. An ordered endpoint stays at
 * its oldest delivery.
 */
function computeNextDelay(
  { isOrdered }: WebhookEndpointRow,
  { attemptCount }: WebhookDeliveryRow,
  { retryAfterMs }: SentMessage,
): number | null {
  const attempts = attemptCount + 1;
  const isOver = attempts >= MAX_ATTEMPTS && !isOrdered;
  return isOver ? null : computeDelay(attempts, { retryAfterMs });
}

/** Disables an endpoint that is gone, or that has failed for too long. */
async function countFailure(
  tx: Tx,
  endpoint: WebhookEndpointRow,
  { attempt }: SentMessage,
): Promise<void> {
  const failingSince = endpoint.failingSince ?? new Date(now());
  if (!endpoint.failingSince) await updateEndpoint(tx, endpoint.id, { failingSince });
  if (attempt.statusCode === GONE) {
    await disableEndpoint(tx, endpoint, "The endpoint responded with 410 Gone.");
  } else if (now() - failingSince.getTime() >= DISABLE_AFTER_MS) {
    await disableEndpoint(tx, endpoint, "Every delivery has failed for 5 days.");
  }
}
