import "server-only";
import { isDeepStrictEqual } from "node:util";
import { now } from "@/lib/clock";
import { withLiveSecret } from "@/lib/custody/live-secret";
import {
  checkClaim,
  checkExchange,
  checkOrder,
  checkSessionKey,
} from "@/lib/custody/signing-policy";
import {
  buildWalletMessage,
  type WalletMessage,
  type WalletMessageRequest,
} from "@/lib/custody/wallet-message-policy";
import { getDb } from "@/lib/db/client";
import { type LiveWalletRow, selectLiveWallet, toSessionKey } from "@/lib/db/queries/live-wallets";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import { computeClobAuthDigest, isClobAuthGenuine } from "@/lib/polymarket/protocol/clob-auth";
import {
  type ChainId,
  type ExchangeDomain,
  getExchangeDomain,
} from "@/lib/polymarket/protocol/contracts";
import { openKey, type OwnerKey } from "@/lib/polymarket/protocol/ecdsa";
import type { OrderStruct } from "@/lib/polymarket/protocol/order-hash";
import {
  recoverOwner,
  recoverSession,
  signOrderInSession,
  signOrderStruct,
} from "@/lib/polymarket/protocol/order-signature";
import type { ExchangeName } from "@/lib/domain/protocol";
import {
  recoverBatchSigner,
  recoverProxySigner,
  recoverSafeSigner,
  signBatch,
  signProxyTransaction,
  signSafeTransaction,
} from "@/lib/polymarket/protocol/relayer-signature";
import {
  toBatchSubmission,
  toProxySubmission,
  toSafeSubmission,
} from "@/lib/polymarket/protocol/relayer-submission";
import { wrapSessionSignature } from "@/lib/polymarket/protocol/session-envelope";
import type { OwnershipProof } from "@/lib/venue/trader";

/**
 * Signs an order of this wallet for one of the pinned exchanges. Checks the order before and the
 * signature afterwards, and throws if either is not valid.
 */
export async function signOrder(
  wallet: LiveWalletRow,
  order: OrderStruct,
  exchange: ExchangeName,
): Promise<string> {
  return signOrderFor(wallet, order, getExchangeDomain(env().POLYGON_CHAIN_ID, exchange));
}

/** Like `signOrder`, for a given exchange. Throws unless the signing policy pins it. */
export async function signOrderFor(
  wallet: LiveWalletRow,
  order: OrderStruct,
  domain: ExchangeDomain,
): Promise<string> {
  const checked = checkOrder(order, wallet, now(), env().BUILDER_CODE);
  checkExchange(checked.tokenId, domain, env().POLYGON_CHAIN_ID);
  const sessionKey = toSessionKey(wallet);
  if (sessionKey) checkSessionKey(sessionKey, now());
  const sign = sessionKey ? signOrderInSession : signOrderStruct;
  const recover = sessionKey ? recoverSession : recoverOwner;
  const signature = await withSigningKey(wallet, (key) => sign(key, checked, domain));
  assert(isDeepStrictEqual(order, checked), "an order stays as it is while it is signed");
  assert(
    recover(checked, domain, signature) === wallet.address,
    "a signature is that of the wallet's key, for exactly this order and exchange",
  );
  return signature;
}

/** Signs a request for API credentials of the address whose key the user's live wallet has. */
export async function signClobAuth(
  userId: string,
  request: { timestamp: string; nonce: string },
): Promise<OwnershipProof> {
  const { timestamp, nonce } = checkClaim(request, now());
  const wallet = await selectLiveWallet(await getDb(), userId);
  if (!wallet) throw new AppError("WALLET_NOT_FOUND", "This user has no live wallet.");
  const claim = { address: wallet.address, timestamp, nonce };
  const chainId = env().POLYGON_CHAIN_ID;
  const digest = computeClobAuthDigest(claim, chainId);
  const signature = await withSigningKey(wallet, (key) => key.signingKey.sign(digest).serialized);
  assert(isClobAuthGenuine(claim, chainId, signature), "a claim is signed by its own address");
  return { ...claim, signature };
}

/**
 * Signs calls of this wallet as one transaction for the relayer. Decodes every call, and refuses any
 * but redeem, split, merge and approvals on the venue's contracts: it never signs a transfer or a
 * withdrawal. Checks the signature afterwards.
 *
 * @param metadata shown in the relayer's list of transactions.
 * @returns the exact bytes to submit.
 */
export async function signWalletTransaction(
  wallet: LiveWalletRow,
  request: WalletMessageRequest,
  metadata: string,
): Promise<string> {
  const chainId = env().POLYGON_CHAIN_ID;
  const message = buildWalletMessage(wallet, request, { chainId, at: now() });
  const sessionKey = toSessionKey(wallet);
  if (sessionKey) checkSessionKey(sessionKey, now());
  const plain = await withSigningKey(wallet, (key) => signMessage(key, message, chainId));
  // Only deposit wallets know session keys, and their messages are batches.
  const signature = sessionKey
    ? wrapSessionSignature({ sessionAddress: wallet.address, signature: plain })
    : plain;
  assert(
    recoverMessageSigner(message, chainId, signature) === wallet.address,
    "a signature is that of the wallet's key, for exactly this transaction",
  );
  return JSON.stringify(toSubmission(wallet, message, { signature, metadata }));
}

function signMessage(key: OwnerKey, message: WalletMessage, chainId: ChainId): string {
  switch (message.kind) {
    case "batch":
      return signBatch(key, message.batch, chainId);
    case "safe":
      return signSafeTransaction(key, message.transaction, chainId);
    case "proxy":
      return signProxyTransaction(key, message.transaction);
  }
}

function recoverMessageSigner(
  message: WalletMessage,
  chainId: ChainId,
  signature: string,
): string | null {
  switch (message.kind) {
    case "batch":
      return recoverBatchSigner(message.batch, chainId, signature)?.address ?? null;
    case "safe":
      return recoverSafeSigner(message.transaction, chainId, signature);
    case "proxy":
      return recoverProxySigner(message.transaction, signature);
  }
}

function toSubmission(
  { address: from, funderAddress: proxyWallet }: LiveWalletRow,
  message: WalletMessage,
  signed: { signature: string; metadata: string },
): object {
  switch (message.kind) {
    case "batch":
      return toBatchSubmission(message.batch, { from, ...signed });
    case "safe":
      return toSafeSubmission(message.transaction, { from, ...signed });
    case "proxy":
      return toProxySubmission(message.transaction, { proxyWallet, ...signed });
  }
}

/**
 * Opens the wallet's key for one signature. Every call opens its own copy, so that concurrent
 * signatures don't affect each other, and wipes it.
 */
function withSigningKey(wallet: LiveWalletRow, sign: (key: OwnerKey) => string): Promise<string> {
  return withLiveSecret(wallet, "key", async (privateKey) => {
    const key = openKey(privateKey);
    assert(key.address === wallet.address, "a stored key belongs to its wallet's address");
    return sign(key);
  });
}
