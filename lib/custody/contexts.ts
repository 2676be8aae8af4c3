import "server-only";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";

/** Builds the context that binds a paper wallet's sealed key to its user and address. */
export const paperWalletContext = (userId: string, address: string) =>
  `wallet/${userId}/${address}`;

/** Builds the context that binds a webhook endpoint's signing secret to its user and endpoint. */
export const webhookContext = (userId: string, endpointId: string) =>
  `webhook/${userId}/${endpointId}`;

/** Builds the context that binds a push subscription's secret to its user and subscription. */
export const pushContext = (userId: string, subscriptionId: string) =>
  `push/${userId}/${subscriptionId}`;

/** Builds the context that binds the secret of an authenticator app to its user and row. */
export const totpContext = (userId: string, id: string) => `totp/${userId}/${id}`;

/**
 * Builds the context that binds a live wallet's secret to its user, addresses and type, and that of a
 * session key to its end.
 */
export function liveWalletContext(
  { userId, address, funderAddress, signatureType, sessionExpiresAt }: LiveWalletIdentity,
  secret: "key" | "credentials",
): string {
  const session = sessionExpiresAt === null ? "" : `session/${sessionExpiresAt.toISOString()}/`;
  return `live-wallet/${userId}/${address}/${funderAddress}/${signatureType}/${session}${secret}`;
}
