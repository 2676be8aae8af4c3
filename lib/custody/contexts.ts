import "server-only";
import type { SignatureType } from "@/lib/polymarket/order-hash";

/** What a paper wallet's sealed key is bound to: its user and its address. */
export const walletContext = (userId: string, address: string) => `wallet/${userId}/${address}`;

/** The columns of a live wallet that its secrets are bound to: change one, and nothing opens. */
export interface LiveWalletIdentity {
  userId: string;
  address: string;
  funderAddress: string;
  signatureType: SignatureType;
}

/** What the secrets of a live wallet are bound to: everything that says whose and which it is. */
export function liveWalletContext(
  { userId, address, funderAddress, signatureType }: LiveWalletIdentity,
  secret: "key" | "credentials",
): string {
  return `live-wallet/${userId}/${address}/${funderAddress}/${signatureType}/${secret}`;
}
