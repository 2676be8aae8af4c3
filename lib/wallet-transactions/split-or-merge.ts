import "server-only";
import type { z } from "zod";
import { requireWalletAction } from "@/lib/accounts/require-action";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import {
  selectTransactionByKey,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { AppError } from "@/lib/errors";
import { computeFingerprint, hashIdempotencyKey } from "@/lib/orders/idempotency/fingerprint";
import type { SplitOrMergeBody, WalletTransaction } from "@/lib/schemas/wallet-transactions";
import { formatMicro } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { PreparedAction } from "@/lib/venue/wallet-relay";
import { describeTransaction } from "@/lib/wallet-transactions/list-transactions";
import { readOutcome } from "@/lib/wallet-transactions/outcome";
import { recordTransaction } from "@/lib/wallet-transactions/record";
import { requireSigningRelay } from "@/lib/wallet-transactions/require-relay";
import { makeSplitOrMerge } from "@/lib/wallet-transactions/split-or-merge-action";
import {
  insufficient,
  type RequestKey,
  type SplitOrMergeRequest,
} from "@/lib/wallet-transactions/split-or-merge-request";
import { splitOrMergePaper } from "@/lib/wallet-transactions/split-or-merge-paper";

/**
 * Turns USDC into as many shares of both outcomes of a market, or back. With an idempotency key, a
 * repeated request returns the same transaction.
 */
export async function splitOrMerge(
  principal: Principal,
  kind: SplitOrMergeRequest["kind"],
  body: SplitOrMergeBody,
): Promise<z.output<typeof WalletTransaction>> {
  const key = toKey(principal, kind, body);
  const replayed = key && (await findReplay(principal.userId, key));
  if (replayed) return describeTransaction(await settleReplay(replayed));
  const venue = getVenue(principal.mode);
  const market = await venue.findMarket(body.marketId);
  if (!market) throw new AppError("MARKET_NOT_FOUND", "There is no such market.");
  if (market.untradable !== null) throw new AppError("ORDER_REJECTED", market.untradable);
  const request = { kind, market, shares: body.shares, key };
  const row =
    venue.kind === "embedded"
      ? await splitOrMergePaper(principal, venue, request)
      : await splitOrMergeLive(principal, request);
  // An equal request was recorded at the same time.
  const found = row ?? (key && (await findReplay(principal.userId, key)));
  if (!found)
    throw new AppError("ORDER_IN_PROGRESS", "The same request is in progress. Repeat it.");
  return describeTransaction(found);
}

async function splitOrMergeLive(
  principal: Principal,
  { kind, market, shares, key }: SplitOrMergeRequest,
): Promise<WalletTransactionRow | null> {
  await requireWalletAction(principal, { kind, market });
  const { wallet, relay } = await requireSigningRelay(principal.userId);
  const action = await makeSplitOrMerge(principal.userId, { kind, market, shares });
  requirePossible(kind, await relay.prepare(wallet, action));
  const transaction = { wallet, kind, market, shares, ...(key ? { claim: key } : {}) };
  const recorded = await recordTransaction(principal, transaction);
  return recorded && readOutcome(recorded);
}

function requirePossible(kind: SplitOrMergeRequest["kind"], prepared: PreparedAction): void {
  if (prepared.outcome === "insufficient") throw insufficient(kind, prepared.available);
}

function toKey(
  { mode }: Principal,
  kind: SplitOrMergeRequest["kind"],
  body: SplitOrMergeBody,
): RequestKey {
  if (body.idempotencyKey === undefined) return null;
  const fields = { kind, mode, marketId: body.marketId, shares: formatMicro(body.shares) };
  return {
    keyHash: hashIdempotencyKey(body.idempotencyKey),
    fingerprint: computeFingerprint(fields),
  };
}

/** Returns the transaction that a key was used for. Throws if the request differs from it. */
async function findReplay(
  userId: string,
  { keyHash, fingerprint }: NonNullable<RequestKey>,
): Promise<WalletTransactionRow | null> {
  const row = await selectTransactionByKey(await getDb(), userId, keyHash);
  if (!row || row.fingerprint === fingerprint) return row;
  throw new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    "This idempotencyKey was used for another split or merge.",
  );
}

/** A repeated request advances an open live transaction, as the first one did. */
async function settleReplay(row: WalletTransactionRow): Promise<WalletTransactionRow> {
  return row.status === "confirmed" ? row : readOutcome(row);
}
