import "server-only";
import { withTransaction } from "@/lib/db/client";
import { now } from "@/lib/clock";
import type { Tx } from "@/lib/db/database";
import { selectEventTypes } from "@/lib/db/queries/account-events";
import { insertDeliveries } from "@/lib/db/queries/webhook-deliveries";
import {
  lockActiveEndpoint,
  updateEndpoint,
  type WebhookEndpointRow,
} from "@/lib/db/queries/webhooks";
import { newId } from "@/lib/ids";

/** How many events one transaction reads. */
const BATCH = 1_000;

/**
 * Creates the deliveries of events that an endpoint has not been given yet. The lock of the endpoint
 * makes them complete and in order, with any number of processes.
 */
export async function enqueueEvents(endpointId: string): Promise<void> {
  await withTransaction(async (tx) => {
    const endpoint = await lockActiveEndpoint(tx, endpointId);
    if (endpoint) await enqueueBatch(tx, endpoint);
  });
}

async function enqueueBatch(tx: Tx, endpoint: WebhookEndpointRow): Promise<void> {
  const { id, types, enqueuedSeq } = endpoint;
  const events = await selectEventTypes(tx, endpoint, { after: enqueuedSeq, limit: BATCH });
  const last = events.at(-1);
  if (!last) return;
  const matching = events.filter(({ type }) => types?.includes(type) ?? true);
  const at = new Date(now());
  const rows = matching.map(({ seq, type }, index) => ({
    id: newId("msg"),
    endpointId: id,
    seq,
    previousSeq: matching[index - 1]?.seq ?? endpoint.previousSeq,
    type,
    status: "pending" as const,
    attemptCount: 0,
    attempts: [],
    leasedUntil: null,
    deliveredAt: null,
    createdAt: at,
  }));
  await insertDeliveries(tx, rows);
  const previousSeq = matching.at(-1)?.seq ?? endpoint.previousSeq;
  await updateEndpoint(tx, id, { enqueuedSeq: last.seq, previousSeq });
}
