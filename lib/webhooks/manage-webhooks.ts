import "server-only";
import { z } from "zod";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { countEvents, selectLogHead } from "@/lib/db/queries/account-events";
import { lockUser } from "@/lib/db/queries/live-wallets";
import type { AccountRef } from "@/lib/db/queries/mode";
import { deletePendingAfter } from "@/lib/db/queries/webhook-deliveries";
import {
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  selectEndpoints,
  updateEndpoint,
  type WebhookEndpointRow,
} from "@/lib/db/queries/webhooks";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import { findRange } from "@/lib/events/read-events";
import { newId } from "@/lib/ids";
import {
  type ChangeWebhookBody,
  type CreateWebhookBody,
  EndpointTest,
  type Webhook,
  type WebhookAttempt,
  type WebhookTest,
} from "@/lib/schemas/webhooks";
import { checkWebhookUrl } from "@/lib/webhooks/check-address";
import { openSecrets, sealSecret } from "@/lib/custody/webhook-secret";
import { findAndLockEndpoint, findEndpoint } from "@/lib/webhooks/find-endpoint";
import { toAttempt } from "@/lib/webhooks/list-deliveries";
import { sendMessage } from "@/lib/webhooks/send-message";
import { createSecret } from "@/lib/webhooks/sign";

const MAX_ENDPOINTS = 10;
/** How long the former secret signs too after a rotation. */
const ROTATION_MS = 24 * 3600 * 1000;

/** An endpoint with its secret, which only its creation and rotation return. */
export type WebhookWithSecret = Webhook & { secret: string };

/** Returns the endpoints of an account, oldest first. */
export async function listWebhooks(account: AccountRef): Promise<{ webhooks: Webhook[] }> {
  return { webhooks: (await selectEndpoints(await getDb(), account)).map(toWebhook) };
}

/** Returns an endpoint of an account. */
export async function getWebhook(account: AccountRef, id: string): Promise<Webhook> {
  return toWebhook(await findEndpoint(await getDb(), account, id));
}

/** A new endpoint, and how it responded to its test message. */
export interface CreatedWebhook {
  webhook: WebhookWithSecret;
  attempt: WebhookTest["attempt"];
}

/** Creates an endpoint for the events from now on, and sends it a test message. */
export async function createWebhook(
  account: AccountRef,
  body: CreateWebhookBody,
): Promise<WebhookWithSecret> {
  return (await createAndTestWebhook(account, body)).webhook;
}

/** Does the same, and tells how the endpoint responded. */
export async function createAndTestWebhook(
  { userId, mode }: AccountRef,
  { url, types = null, ordered = true }: CreateWebhookBody,
): Promise<CreatedWebhook> {
  checkWebhookUrl(url, env().WEBHOOK_ALLOW_PRIVATE);
  const id = newId("whk");
  const secret = createSecret();
  const sealedSecret = await sealSecret({ userId, id }, secret);
  const account = { userId, mode };
  await withTransaction(async (tx) => {
    // Two requests at once can't both create the last one.
    await lockUser(tx, userId);
    if ((await countEndpoints(tx, account)) >= MAX_ENDPOINTS) {
      throw new AppError(
        "VALIDATION_ERROR",
        `An account can have at most ${MAX_ENDPOINTS} webhook endpoints.`,
      );
    }
    const { lastSeq } = await selectLogHead(tx, account);
    const at = new Date(now());
    await insertEndpoint(tx, {
      id,
      userId,
      mode,
      url,
      types,
      isOrdered: ordered,
      status: "pending",
      sealedSecret,
      sealedPreviousSecret: null,
      previousSecretEndsAt: null,
      enqueuedSeq: lastSeq,
      previousSeq: lastSeq,
      failingSince: null,
      disabledReason: null,
      lastTest: null,
      createdAt: at,
      updatedAt: at,
    });
  });
  const { webhook, attempt } = await testWebhook(account, id);
  return { webhook: { ...webhook, secret }, attempt };
}

/**
 * Changes an endpoint. With a new address, or to become active again, it gets a test message, and
 * becomes active if it acknowledges that.
 */
export async function changeWebhook(
  account: AccountRef,
  id: string,
  { url, types, ordered, status }: ChangeWebhookBody,
): Promise<Webhook> {
  if (url !== undefined) checkWebhookUrl(url, env().WEBHOOK_ALLOW_PRIVATE);
  const changed = await withTransaction(async (tx) => {
    const endpoint = await findAndLockEndpoint(tx, account, id);
    const isMoved = url !== undefined && url !== endpoint.url;
    const isDisabled = (status ?? endpoint.status) === "disabled";
    const isTested =
      !isDisabled && (isMoved || (status === "active" && endpoint.status !== "active"));
    const row = await change(tx, id, {
      ...(url === undefined ? {} : { url }),
      ...(isMoved ? { lastTest: null } : {}),
      ...(types === undefined ? {} : { types }),
      ...(ordered === undefined ? {} : { isOrdered: ordered }),
      ...(isDisabled ? { status: "disabled" } : {}),
      ...(isTested ? { status: "pending", disabledReason: null, failingSince: null } : {}),
    });
    return { row, isTested };
  });
  return changed.isTested ? (await testWebhook(account, id)).webhook : toWebhook(changed.row);
}

/** Deletes an endpoint with its deliveries. */
export async function deleteWebhook(account: AccountRef, id: string): Promise<{ id: string }> {
  await withTransaction(async (tx) => {
    await findAndLockEndpoint(tx, account, id);
    await deleteEndpoint(tx, account, id);
  });
  return { id };
}

/** Gives an endpoint a new secret. The former one signs too for a day. */
export async function rotateWebhook(account: AccountRef, id: string): Promise<WebhookWithSecret> {
  const secret = createSecret();
  const sealedSecret = await sealSecret({ userId: account.userId, id }, secret);
  const row = await withTransaction(async (tx) => {
    const endpoint = await findAndLockEndpoint(tx, account, id);
    return change(tx, id, {
      sealedSecret,
      sealedPreviousSecret: endpoint.sealedSecret,
      previousSecretEndsAt: new Date(now() + ROTATION_MS),
    });
  });
  return { ...toWebhook(row), secret };
}

/** Returns how an endpoint responded to the last test message to its address; null if none was sent. */
export async function getLastTest(account: AccountRef, id: string): Promise<LastTest | null> {
  const { lastTest } = await findEndpoint(await getDb(), account, id);
  return lastTest && { ...lastTest, at: new Date(lastTest.at) };
}

export type LastTest = Omit<WebhookAttempt, "answer">;

/** Sends a signed test message. A pending endpoint that acknowledges it becomes active. */
export async function testWebhook(account: AccountRef, id: string): Promise<WebhookTest> {
  const endpoint = await findEndpoint(await getDb(), account, id);
  const test = {
    type: "endpoint.test",
    createdAt: new Date(now()),
    data: { webhookId: id },
  } as const;
  const { attempt, isAcknowledged } = await sendMessage({
    url: endpoint.url,
    id: newId("msg"),
    body: JSON.stringify(z.encode(EndpointTest, test)),
    secrets: await openSecrets(endpoint),
  });
  const row = await withTransaction(async (tx) => {
    const tested = await findAndLockEndpoint(tx, account, id);
    // The address may have changed while the message was on its way.
    if (tested.url !== endpoint.url) return tested;
    const { at, durationMs, statusCode, error } = attempt;
    const lastTest = { at, durationMs, statusCode, error };
    const isActivated = isAcknowledged && tested.status === "pending";
    if (isActivated) return change(tx, id, { lastTest, status: "active" });
    return (await updateEndpoint(tx, id, { lastTest })) ?? tested;
  });
  return { webhook: toWebhook(row), acknowledged: isAcknowledged, attempt: toAttempt(attempt) };
}

/**
 * Sends the events after a number again, in order, as new messages. What was pending of them is
 * replaced.
 */
export async function replayEvents(
  account: AccountRef,
  id: string,
  after: number,
): Promise<{ after: number; events: number }> {
  await findEndpoint(await getDb(), account, id);
  const start = (await findRange(account, { after })).after;
  return withTransaction(async (tx) => {
    const { types } = await findAndLockEndpoint(tx, account, id);
    await deletePendingAfter(tx, id, start);
    await change(tx, id, { enqueuedSeq: start, previousSeq: start });
    return { after: start, events: await countEvents(tx, account, { after: start, types }) };
  });
}

async function change(
  tx: Tx,
  id: string,
  values: Partial<WebhookEndpointRow>,
): Promise<WebhookEndpointRow> {
  const row = await updateEndpoint(tx, id, { ...values, updatedAt: new Date(now()) });
  assert(row, "a locked endpoint exists");
  return row;
}

function toWebhook(row: WebhookEndpointRow): Webhook {
  const { id, mode, url, types, status, disabledReason, failingSince, createdAt, updatedAt } = row;
  const isRotating =
    row.previousSecretEndsAt !== null && row.previousSecretEndsAt.getTime() > now();
  return {
    id,
    mode,
    url,
    types,
    ordered: row.isOrdered,
    status,
    disabledReason,
    failingSince,
    lastSeq: row.enqueuedSeq,
    previousSecretEndsAt: isRotating ? row.previousSecretEndsAt : null,
    createdAt,
    updatedAt,
  };
}
