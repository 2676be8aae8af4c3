import "server-only";
import { now } from "@/lib/clock";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";
import { decodeProxyCalls } from "@/lib/polymarket/protocol/proxy-transaction";
import {
  recoverBatchSigner,
  recoverProxySigner,
  recoverSafeCreator,
  recoverSafeSigner,
} from "@/lib/polymarket/protocol/relayer-signature";
import { listSafeCalls } from "@/lib/polymarket/protocol/safe-transaction";
import {
  deriveDepositWallet,
  deriveDepositWallets,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { chainId } from "@/lib/sandbox/authenticate";
import { SandboxError } from "@/lib/sandbox/error";
import { requireSessionKey } from "@/lib/sandbox/session-keys";
import type { Submission } from "@/lib/sandbox/relayer-submission";
import { RELAY } from "@/lib/sandbox/wallet-nonce";

/** A deadline must be at least this far ahead, so that the transaction can be sent in time. */
const MIN_DEADLINE_S = 10;

type Of<T extends Submission["type"]> = Extract<Submission, { type: T }>;

/** The wallet that a submission is about, and the calls that it makes. */
export interface VerifiedSubmission {
  wallet: string;
  calls: readonly WalletCall[];
}

/** Checks who signed a submission, for which wallet, and until when. Throws 400. */
export async function verifySubmission(submission: Submission): Promise<VerifiedSubmission> {
  switch (submission.type) {
    case "WALLET":
      return verifyBatch(submission);
    case "SAFE":
      return verifySafe(submission);
    case "PROXY":
      return verifyProxy(submission);
    case "WALLET-CREATE":
      return { wallet: deriveDepositWallet(submission.from), calls: [] };
    case "SAFE-CREATE": {
      const { from: owner, wallet } = submission;
      assertSigned(recoverSafeCreator(chainId(), submission.signature), owner);
      assertDerived(wallet === deriveSafeWallet(owner));
      return { wallet, calls: [] };
    }
  }
}

async function verifyBatch({
  from,
  transaction,
  signature,
}: Of<"WALLET">): Promise<VerifiedSubmission> {
  const { wallet, calls, deadline } = transaction;
  const signer = recoverBatchSigner(transaction, chainId(), signature);
  assertSigned(signer?.address ?? null, from);
  // A wallet knows its session keys; the owner derives from no address of theirs.
  if (signer?.isSessionKey) await requireSessionKey(wallet, from);
  else assertDerived(deriveDepositWallets(from).includes(wallet));
  if (deadline < BigInt(Math.floor(now() / 1000) + MIN_DEADLINE_S)) {
    throw new SandboxError(
      400,
      `deadline must be at least ${MIN_DEADLINE_S} seconds in the future`,
    );
  }
  return { wallet, calls };
}

function verifySafe({ from, transaction, signature }: Of<"SAFE">): VerifiedSubmission {
  assertSigned(recoverSafeSigner(transaction, chainId(), signature), from);
  assertDerived(transaction.safe === deriveSafeWallet(from));
  return { wallet: transaction.safe, calls: requireCalls(listSafeCalls(transaction)) };
}

function verifyProxy({ from, transaction, wallet, signature }: Of<"PROXY">): VerifiedSubmission {
  assertSigned(recoverProxySigner(transaction, signature), from);
  assertDerived(wallet === deriveProxyWallet(from) && transaction.relay === RELAY);
  return { wallet, calls: requireCalls(decodeProxyCalls(transaction.data)) };
}

function assertSigned(signer: string | null, from: string): void {
  if (signer !== from) throw new SandboxError(400, "invalid signature");
}

function assertDerived(isDerived: boolean): void {
  if (!isDerived) throw createInvalidPayload();
}

function requireCalls(calls: WalletCall[] | null): WalletCall[] {
  if (calls && calls.length > 0) return calls;
  throw createInvalidPayload();
}

const createInvalidPayload = () => new SandboxError(400, "invalid transaction request payload");
