import "server-only";
import { randomUUID } from "node:crypto";
import { getAddress } from "ethers";
import { now } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import {
  countSubmissions,
  hasActiveTransaction,
  insertTransaction,
  lockWallet,
  type RelayedTransaction,
  type RelayedWallet,
} from "@/lib/db/queries/sandbox-transactions";
import { env } from "@/lib/env";
import { SandboxError } from "@/lib/sandbox/error";
import type { RelayerCaller } from "@/lib/sandbox/relayer-auth";
import { requirePermittedCalls } from "@/lib/sandbox/permitted-calls";
import { SIMULATED_FAILURE, settleWallet } from "@/lib/sandbox/settle-wallet";
import { readSubmission, type Submission } from "@/lib/sandbox/relayer-submission";
import { toOldView } from "@/lib/sandbox/transaction-views";
import { type VerifiedSubmission, verifySubmission } from "@/lib/sandbox/verify-submission";
import { isDeployed } from "@/lib/sandbox/deployed";

const QUOTA_WINDOW_MS = 60_000;
const BUSY = "wallet busy: active action in progress";

/** What the header X-Rehearse simulates for one submission. */
const FAULTS = ["quota", "wallet-busy", "failed"] as const;
type Fault = (typeof FAULTS)[number];

/**
 * Serves `POST /submit`: records a transaction, which takes effect later. The nonce makes it happen
 * once: a second submission of the same bytes is refused.
 *
 * @throws SandboxError with the venue's refusal (polymarket-wallets.md 2.2).
 */
export async function submitTransaction(
  caller: RelayerCaller,
  body: string,
  headers: Pick<Headers, "get">,
) {
  const fault = readFault(headers);
  const submission = readSubmission(body);
  assertSender(caller, submission);
  if (fault === "quota") throw createQuotaExceeded(QUOTA_WINDOW_MS);
  const verified = await verifySubmission(submission);
  const { wallet, calls } = verified;
  requirePermittedCalls(wallet, calls);
  await settleWallet(wallet);
  await assertDeployment(submission, wallet);
  const transaction = toTransaction(caller, submission, verified);
  await withTransaction(async (tx) => {
    const row = await lockWallet(tx, wallet);
    await assertQuota(tx, caller);
    await assertNext(tx, submission, row, fault);
    const error = fault === "failed" ? SIMULATED_FAILURE : null;
    await insertTransaction(tx, { ...transaction, error });
  });
  // With SANDBOX_RELAYER_MS=0, it takes effect at once.
  await settleWallet(wallet);
  const { transactionID, state, transactionHash } = toOldView(transaction);
  return { transactionID, state, transactionHash };
}

function readFault(headers: Pick<Headers, "get">): Fault | null {
  const name = headers.get("x-rehearse");
  if (name === null) return null;
  const fault = FAULTS.find((known) => known === name);
  if (fault) return fault;
  throw new SandboxError(400, `X-Rehearse: must be one of ${FAULTS.join(", ")}`);
}

function assertSender({ address }: RelayerCaller, { from }: Submission): void {
  if (address === null || address === from) return;
  throw new SandboxError(400, `from ${from} does not match auth ${address}`);
}

async function assertDeployment({ type }: Submission, wallet: string): Promise<void> {
  // The first transaction of a proxy wallet deploys it.
  if (type === "PROXY") return;
  const isCreation = type === "WALLET-CREATE" || type === "SAFE-CREATE";
  const isSafe = type === "SAFE" || type === "SAFE-CREATE";
  if ((await isDeployed(wallet, isSafe ? "SAFE" : "WALLET")) === !isCreation) return;
  throw new SandboxError(400, `wallet ${wallet} is ${isCreation ? "already" : "not"} deployed`);
}

async function assertQuota(tx: Tx, { keyId }: RelayerCaller): Promise<void> {
  const quota = env().SANDBOX_RELAYER_QUOTA;
  if (quota === 0) return;
  const since = now() - QUOTA_WINDOW_MS;
  const { count, firstAt } = await countSubmissions(tx, keyId, new Date(since));
  if (count >= quota) throw createQuotaExceeded((firstAt?.getTime() ?? now()) - since);
}

function createQuotaExceeded(leftMs: number): SandboxError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  const message = `quota exceeded: 0 units remaining, resets in ${seconds} seconds`;
  return new SandboxError(429, message, {}, { "retry-after": String(seconds) });
}

/** Refuses a transaction that is not the wallet's next one. The wallet's row is locked. */
async function assertNext(
  tx: Tx,
  submission: Submission,
  wallet: RelayedWallet,
  fault: Fault | null,
): Promise<void> {
  const isBusy = await hasActiveTransaction(tx, wallet.address, new Date(now()));
  if (isBusy || fault === "wallet-busy") throw new SandboxError(400, BUSY);
  if (!("nonce" in submission)) {
    // Another request created the wallet meanwhile.
    if (wallet.deployedAt === null) return;
    throw new SandboxError(400, `wallet ${getAddress(wallet.address)} is already deployed`);
  }
  if (submission.nonce === wallet.nonce) return;
  const { nonce } = submission;
  throw new SandboxError(400, `batch nonce ${nonce} does not match on-chain nonce ${wallet.nonce}`);
}

function toTransaction(
  { keyId }: RelayerCaller,
  submission: Submission,
  { wallet, calls }: VerifiedSubmission,
): RelayedTransaction {
  const { type, from, metadata } = submission;
  const at = now();
  const lastsMs = env().SANDBOX_RELAYER_MS;
  return {
    id: randomUUID(),
    wallet: wallet.toLowerCase(),
    sender: from,
    type,
    nonce: "nonce" in submission ? submission.nonce : null,
    calls: calls.map(({ target, data }) => ({ target, data })),
    metadata,
    signature: "signature" in submission ? submission.signature : null,
    keyId,
    createdAt: new Date(at),
    minedAt: new Date(at + lastsMs / 2),
    confirmedAt: new Date(at + lastsMs),
    appliedAt: null,
    error: null,
  };
}
