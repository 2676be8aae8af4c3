import "server-only";
import { concat, dataSlice, getBytes, hashMessage } from "ethers";
import type { ChainId } from "@/lib/polymarket/protocol/contracts";
import { type OwnerKey, recoverSigner, SIGNATURE_BYTES } from "@/lib/polymarket/protocol/ecdsa";
import {
  computeProxyHash,
  type ProxyTransaction,
} from "@/lib/polymarket/protocol/proxy-transaction";
import {
  computeBatchDigest,
  type DepositWalletBatch,
} from "@/lib/polymarket/protocol/relayer-batch";
import {
  computeSafeCreationDigest,
  computeSafeHash,
  type SafeTransaction,
} from "@/lib/polymarket/protocol/safe-transaction";
import { unwrapSessionSignature } from "@/lib/polymarket/protocol/session-envelope";

/** A Safe recognizes a signed personal message by v + 4. */
const MESSAGE_SHIFT = 4;

/** Signs a batch with the key of the wallet's owner or with a session key, without its envelope. */
export function signBatch(key: OwnerKey, batch: DepositWalletBatch, chainId: ChainId): string {
  return key.signingKey.sign(computeBatchDigest(batch, chainId)).serialized;
}

/** Signs a transaction of a Safe with its owner's key. */
export function signSafeTransaction(
  owner: OwnerKey,
  transaction: SafeTransaction,
  chainId: ChainId,
): string {
  const hash = computeSafeHash(transaction, chainId);
  const { serialized } = owner.signingKey.sign(hashMessage(getBytes(hash)));
  const v = Number(dataSlice(serialized, SIGNATURE_BYTES - 1)) + MESSAGE_SHIFT;
  return concat([dataSlice(serialized, 0, SIGNATURE_BYTES - 1), Uint8Array.of(v)]);
}

/** Signs the creation of the owner's Safe. */
export function signSafeCreation(owner: OwnerKey, chainId: ChainId): string {
  return owner.signingKey.sign(computeSafeCreationDigest(chainId)).serialized;
}

/** Signs a transaction of a proxy wallet with its owner's key. */
export function signProxyTransaction(owner: OwnerKey, transaction: ProxyTransaction): string {
  return owner.signingKey.sign(hashMessage(getBytes(computeProxyHash(transaction)))).serialized;
}

/** Who signed a batch: the key itself, or the session key that its envelope names. */
export interface BatchSigner {
  address: string;
  isSessionKey: boolean;
}

/** Recovers the signer of a batch; null if the signature is invalid. */
export function recoverBatchSigner(
  batch: DepositWalletBatch,
  chainId: ChainId,
  signature: string,
): BatchSigner | null {
  const digest = computeBatchDigest(batch, chainId);
  const session = unwrapSessionSignature(signature);
  const address = recoverOrNull(digest, session?.signature ?? signature);
  if (address === null || (session && session.sessionAddress !== address)) return null;
  return { address, isSessionKey: session !== null };
}

/** Recovers the signer of a Safe's transaction; null if the signature is invalid. */
export function recoverSafeSigner(
  transaction: SafeTransaction,
  chainId: ChainId,
  signature: string,
): string | null {
  const plain = removeMessageShift(signature);
  if (plain === null) return null;
  return recoverOrNull(hashMessage(getBytes(computeSafeHash(transaction, chainId))), plain);
}

/** Recovers the owner who signed the creation of its Safe; null if the signature is invalid. */
export function recoverSafeCreator(chainId: ChainId, signature: string): string | null {
  return recoverOrNull(computeSafeCreationDigest(chainId), signature);
}

/** Recovers the signer of a proxy wallet's transaction; null if the signature is invalid. */
export function recoverProxySigner(
  transaction: ProxyTransaction,
  signature: string,
): string | null {
  return recoverOrNull(hashMessage(getBytes(computeProxyHash(transaction))), signature);
}

function removeMessageShift(signature: string): string | null {
  try {
    const bytes = getBytes(signature);
    const v = bytes[SIGNATURE_BYTES - 1];
    if (v === undefined || v < MESSAGE_SHIFT) return null;
    return concat([
      dataSlice(signature, 0, SIGNATURE_BYTES - 1),
      Uint8Array.of(v - MESSAGE_SHIFT),
      dataSlice(signature, SIGNATURE_BYTES),
    ]);
  } catch {
    return null;
  }
}

function recoverOrNull(digest: string, signature: string): string | null {
  try {
    return recoverSigner(digest, signature);
  } catch {
    // The text is not hex, not a point of the curve, or out of range.
    return null;
  }
}
