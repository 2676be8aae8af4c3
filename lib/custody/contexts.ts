import "server-only";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";

/** What a paper wallet's sealed key is bound to: its user and its address. */
export const walletContext = (userId: string, address: string) => `wallet/${userId}/${address}`;

/** What the secrets of a live wallet are bound to: everything that says whose and which it is. */
export function liveWalletContext(
  { userId, address, funderAddress, signatureType }: LiveWalletIdentity,
  secret: "key" | "credentials",
): string {
  return `live-wallet/${userId}/${address}/${funderAddress}/${signatureType}/${secret}`;
}
