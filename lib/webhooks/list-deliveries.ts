import "server-only";
import { z } from "zod";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/cursor";
import { getDb, withTransaction } from "@/lib/db/client";
import { countEvents } from "@/lib/db/queries/account-events";
import type { AccountRef } from "@/lib/db/queries/mode";
import {
  makeDue,
  selectDeliveries,
  selectDelivery,
  selectOldestPending,
  selectPending,
  type WebhookDeliveryRow,
} from "@/lib/db/queries/webhook-deliveries";
import type { DeliveryQueue } from "@/lib/domain/delivery-queue";
import type { DeliveryAttempt } from "@/lib/db/schema/webhooks";
import { AppError } from "@/lib/errors";
import { PAGE_SIZE } from "@/lib/schemas/page-size";
import type { Delivery, WebhookAttempt } from "@/lib/schemas/webhooks";
import { readEventBody } from "@/lib/webhooks/event-body";
import { findAndLockEndpoint, findEndpoint } from "@/lib/webhooks/find-endpoint";

const DeliveriesCursor = z.tuple([z.int().min(0)]);

export interface DeliveriesQuery {
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

/** Returns the deliveries of an endpoint, newest first. */
export async function listDeliveries(
  account: AccountRef,
  webhookId: string,
  query: DeliveriesQuery,
): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const list = `deliveries/${webhookId}`;
  const before = query.nextCursor && decodeCursor(list, DeliveriesCursor, query.nextCursor)[0];
  const db = await getDb();
  await findEndpoint(db, account, webhookId);
  const page = { before: before || null, limit: limit + 1 };
  const found = await selectDeliveries(db, webhookId, page);
  const { rows, nextCursor } = cutPage(found, limit, ({ position }) =>
    encodeCursor(list, [position]),
  );
  return { deliveries: rows.map(toDelivery), nextCursor };
}

export async function getDeliveryQueue(
  account: AccountRef,
  webhookId: string,
): Promise<DeliveryQueue> {
  const db = await getDb();
  const { status, isOrdered } = await findEndpoint(db, account, webhookId);
  const first = isOrdered ? await selectOldestPending(db, webhookId) : null;
  return {
    isActive: status === "active",
    first: first && { ...first, nextAttemptAt: first.nextAttemptAt.toISOString() },
  };
}

/** The events that wait for an endpoint. */
export interface Backlog {
  events: number;
  /** When the next one is sent; null if the endpoint gets none. */
  nextAttemptAt: Date | null;
  /** The newest attempt to send one of them. */
  lastAttempt: WebhookAttempt | null;
}

export async function getBacklog(account: AccountRef, webhookId: string): Promise<Backlog> {
  const db = await getDb();
  const endpoint = await findEndpoint(db, account, webhookId);
  const { enqueuedSeq: after, types, isOrdered } = endpoint;
  const [pending, later, first] = await Promise.all([
    selectPending(db, webhookId),
    // An endpoint that isn't active has no deliveries of the events since.
    countEvents(db, account, { after, types }),
    isOrdered ? selectOldestPending(db, webhookId) : null,
  ]);
  const next = first?.nextAttemptAt ?? pending.nextAttemptAt;
  return {
    events: pending.count + later,
    nextAttemptAt: endpoint.status === "active" ? next : null,
    lastAttempt: pending.lastAttempt && toAttempt(pending.lastAttempt),
  };
}

export interface DeliveryDetail extends Delivery {
  request: {
    url: string;
    /** As sent by the last attempt; null before the first. */
    headers: Readonly<Record<string, string>> | null;
    body: string;
  };
}

/** Returns a delivery with its request. */
export async function getDelivery(
  account: AccountRef,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const db = await getDb();
  const { url } = await findEndpoint(db, account, webhookId);
  const row = await selectDelivery(db, webhookId, deliveryId);
  if (!row) throw notFound();
  const body = await readEventBody(db, account, row);
  const headers = row.attempts.at(-1)?.headers ?? null;
  return { ...toDelivery(row), request: { url, headers, body } };
}

/**
 * Makes a delivery due now, with a fresh schedule. It keeps its id. An ordered endpoint gets it before
 * later events.
 */
export async function resendDelivery(
  account: AccountRef,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  return withTransaction(async (tx) => {
    const { status } = await findAndLockEndpoint(tx, account, webhookId);
    const row = await selectDelivery(tx, webhookId, deliveryId);
    if (!row) throw notFound();
    if (status !== "active") {
      throw new AppError("VALIDATION_ERROR", "This webhook endpoint is not active.");
    }
    return toDelivery(await makeDue(tx, row.id));
  });
}

const notFound = () =>
  new AppError("WEBHOOK_NOT_FOUND", "This webhook endpoint has no delivery with this id.");

function toDelivery(row: WebhookDeliveryRow): Delivery {
  const { id, seq, previousSeq, type, status, attemptCount, deliveredAt, createdAt } = row;
  return {
    id,
    seq,
    previousSeq,
    type,
    status,
    attemptCount,
    attempts: row.attempts.map(toAttempt),
    nextAttemptAt: status === "pending" ? row.nextAttemptAt : null,
    deliveredAt,
    createdAt,
  };
}

export function toAttempt(attempt: DeliveryAttempt): WebhookAttempt {
  const { at, durationMs, statusCode, error, answer } = attempt;
  return { at: new Date(at), durationMs, statusCode, error, answer };
}
