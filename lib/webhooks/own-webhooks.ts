import "server-only";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import { env } from "@/lib/env";
import type { ChangeWebhookBody, CreateWebhookBody, Webhook } from "@/lib/schemas/webhooks";
import { checkWebhookUrl } from "@/lib/webhooks/check-address";
import {
  changeWebhook,
  createAndTestWebhook,
  type CreatedWebhook,
  getWebhook,
  rotateWebhook,
  type WebhookWithSecret,
} from "@/lib/webhooks/manage-webhooks";

/** Creates an endpoint of a signed-in user and shows its secret, with a fresh second factor. */
export async function createOwnWebhook(
  session: Session,
  body: CreateWebhookBody,
  proof: Proof,
): Promise<CreatedWebhook> {
  checkWebhookUrl(body.url, env().WEBHOOK_ALLOW_PRIVATE);
  await requireFreshFactor(session, "webhook_secret", proof);
  return createAndTestWebhook(session.principal, body);
}

/** Replaces the secret of an endpoint of a signed-in user, with a fresh second factor. */
export async function rotateOwnWebhook(
  session: Session,
  webhookId: string,
  proof: Proof,
): Promise<WebhookWithSecret> {
  await requireFreshFactor(session, "webhook_secret", proof);
  return rotateWebhook(session.principal, webhookId);
}

/** Changes an endpoint of a signed-in user. A new address needs a fresh second factor. */
export async function changeOwnWebhook(
  session: Session,
  webhookId: string,
  { url, ...body }: ChangeWebhookBody,
  proof: Proof,
): Promise<Webhook> {
  const { principal } = session;
  const endpoint = await getWebhook(principal, webhookId);
  // The same address is left out: it would be a new one if another session moves the endpoint now.
  if (url === undefined || url === endpoint.url) return changeWebhook(principal, webhookId, body);
  checkWebhookUrl(url, env().WEBHOOK_ALLOW_PRIVATE);
  await requireFreshFactor(session, "webhook_address", proof);
  return changeWebhook(principal, webhookId, { ...body, url });
}
