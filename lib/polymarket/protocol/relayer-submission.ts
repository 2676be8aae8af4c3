import "server-only";
import { ZeroAddress } from "ethers";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import type { ProxyTransaction } from "@/lib/polymarket/protocol/proxy-transaction";
import type { DepositWalletBatch } from "@/lib/polymarket/protocol/relayer-batch";
import type { SafeTransaction } from "@/lib/polymarket/protocol/safe-transaction";

// The bodies of `POST /submit` (polymarket-wallets.md 3). Their keys are in the alphabetical order of
// `@polymarket/client`, so that the bytes are the same.

interface Signed {
  /** The address whose key signed. */
  from: string;
  signature: string;
  /** At most 500 characters, shown in the relayer's list. */
  metadata: string;
}

/** The body that submits a deposit wallet's batch. */
export function toBatchSubmission(
  batch: DepositWalletBatch,
  { from, signature, metadata }: Signed,
) {
  const calls = batch.calls.map(({ target, value, data }) => ({
    data,
    target,
    value: String(value),
  }));
  return {
    depositWalletParams: { calls, deadline: String(batch.deadline), depositWallet: batch.wallet },
    from,
    metadata,
    nonce: String(batch.nonce),
    signature,
    to: CONTRACT.depositWalletFactory,
    type: "WALLET",
  } as const;
}

/** The body that creates an owner's deposit wallet. It needs no signature. */
export function toWalletCreation(owner: string) {
  return { type: "WALLET-CREATE", from: owner, to: CONTRACT.depositWalletFactory } as const;
}

/** The body that submits a Safe's transaction. */
export function toSafeSubmission(
  { safe, to, data, operation, nonce }: SafeTransaction,
  { from, signature, metadata }: Signed,
) {
  return {
    data,
    from,
    metadata,
    nonce: String(nonce),
    proxyWallet: safe,
    signature,
    signatureParams: {
      baseGas: "0",
      gasPrice: "0",
      gasToken: ZeroAddress,
      operation: operation === 0 ? "0" : "1",
      refundReceiver: ZeroAddress,
      safeTxnGas: "0",
    },
    to,
    type: "SAFE",
  } as const;
}

/** The body that creates an owner's Safe. */
export function toSafeCreation(
  owner: string,
  { safe, signature }: { safe: string; signature: string },
) {
  return {
    data: "0x",
    from: owner,
    proxyWallet: safe,
    signature,
    signatureParams: { payment: "0", paymentReceiver: ZeroAddress, paymentToken: ZeroAddress },
    to: CONTRACT.safeFactory,
    type: "SAFE-CREATE",
  } as const;
}

/** The body that submits a proxy wallet's transaction. */
export function toProxySubmission(
  { from, data, gasLimit, nonce, relay }: ProxyTransaction,
  { proxyWallet, signature, metadata }: Omit<Signed, "from"> & { proxyWallet: string },
) {
  return {
    data,
    from,
    metadata,
    nonce: String(nonce),
    proxyWallet,
    signature,
    signatureParams: {
      gasLimit: String(gasLimit),
      gasPrice: "0",
      relay,
      relayHub: CONTRACT.relayHub,
      relayerFee: "0",
    },
    to: CONTRACT.proxyFactory,
    type: "PROXY",
  } as const;
}
