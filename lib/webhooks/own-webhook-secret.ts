import "server-only";
import type { Proof } from "@/lib/auth/second-factor/prove-factor";
import { requireFreshFactor } from "@/lib/auth/second-factor/require-fresh-factor";
import type { Session } from "@/lib/auth/session";
import type { CreateWebhookBody } from "@/lib/schemas/webhooks";
import {
  createWebhook,
  rotateWebhook,
  type WebhookWithSecret,
} from "@/lib/webhooks/manage-webhooks";

/** Creates an endpoint of a signed-in user and shows its secret, with a fresh second factor. */
export async function createOwnWebhook(
  session: Session,
  body: CreateWebhookBody,
  proof: Proof,
): Promise<WebhookWithSecret> {
  await requireFreshFactor(session, "webhook_secret", proof);
  return createWebhook(session.principal, body);
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
