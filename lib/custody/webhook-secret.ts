import "server-only";
import { now } from "@/lib/clock";
import { webhookContext } from "@/lib/custody/contexts";
import { seal, withSecret } from "@/lib/custody/seal";
import type { WebhookEndpointRow } from "@/lib/db/queries/webhooks";

type SecretOwner = Pick<WebhookEndpointRow, "userId" | "id">;

/** Seals the signing secret of an endpoint. */
export const sealSecret = ({ userId, id }: SecretOwner, secret: string): Promise<string> =>
  seal(Buffer.from(secret), webhookContext(userId, id));

/** Opens the secrets that sign an endpoint's messages: the current one, and the one before it in the day after a rotation. */
export async function openSecrets(endpoint: WebhookEndpointRow): Promise<string[]> {
  const { sealedSecret, sealedPreviousSecret, previousSecretEndsAt } = endpoint;
  const isRotating = previousSecretEndsAt !== null && previousSecretEndsAt.getTime() > now();
  const sealed = [sealedSecret, isRotating ? sealedPreviousSecret : null];
  const context = webhookContext(endpoint.userId, endpoint.id);
  const opened = sealed.map((text) =>
    text === null ? null : withSecret(text, context, async (secret) => secret.toString()),
  );
  return (await Promise.all(opened)).filter((secret) => secret !== null);
}
