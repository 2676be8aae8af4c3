import "server-only";
import type { Tx } from "@/lib/db/database";
import type { AccountRef } from "@/lib/db/queries/mode";
import { lockEndpoint, selectEndpoint, type WebhookEndpointRow } from "@/lib/db/queries/webhooks";
import { AppError } from "@/lib/errors";

const notFound = () =>
  new AppError("WEBHOOK_NOT_FOUND", "This account has no webhook endpoint with this id.");

/** Finds an endpoint of an account. Throws WEBHOOK_NOT_FOUND. */
export async function findEndpoint(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<WebhookEndpointRow> {
  const endpoint = await selectEndpoint(tx, account, id);
  if (!endpoint) throw notFound();
  return endpoint;
}

/** The same, and locks it until the transaction ends. */
export async function findAndLockEndpoint(
  tx: Tx,
  account: AccountRef,
  id: string,
): Promise<WebhookEndpointRow> {
  const endpoint = await lockEndpoint(tx, account, id);
  if (!endpoint) throw notFound();
  return endpoint;
}
