import "server-only";
import { Interface } from "ethers";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";

const WALLET = new Interface([
  "function authorizeSessionSigner(address signer, uint256 validUntil)",
  "function revokeSessionSigner(address signer)",
]);

/** Builds the call of a deposit wallet to itself that lists a session key (polymarket-wallets.md 6.1). */
export function buildAuthorizeCall(
  wallet: string,
  { address, validUntil }: { address: string; validUntil: bigint },
): WalletCall {
  const data = WALLET.encodeFunctionData("authorizeSessionSigner", [address, validUntil]);
  return { target: wallet, value: 0n, data };
}

/** Builds the call of a deposit wallet to itself that revokes a session key. */
export function buildRevokeCall(wallet: string, address: string): WalletCall {
  const data = WALLET.encodeFunctionData("revokeSessionSigner", [address]);
  return { target: wallet, value: 0n, data };
}
