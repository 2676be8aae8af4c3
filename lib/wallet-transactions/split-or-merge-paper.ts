import "server-only";
import { requireAccount } from "@/lib/accounts/require-account";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import {
  insertWalletTransaction,
  selectTransactionByKey,
  type WalletTransactionRow,
} from "@/lib/db/queries/wallet-transactions";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { EmbeddedVenue, PositionRefusal } from "@/lib/venue/port";
import {
  insufficient,
  type SplitOrMergeRequest,
} from "@/lib/wallet-transactions/split-or-merge-request";

/**
 * Splits or merges on the paper exchange, with its record in the same transaction. Returns null if the
 * idempotency key was used meanwhile.
 */
export async function splitOrMergePaper(
  principal: Principal,
  venue: EmbeddedVenue,
  request: SplitOrMergeRequest,
): Promise<WalletTransactionRow | null> {
  const { kind, market, shares, key } = request;
  const { userId, keyId, requestId = null } = principal;
  const id = newId("wtx");
  let recorded: WalletTransactionRow | null = null;
  const result = await venue
    .changePositions({
      id,
      userId,
      keyId,
      requestId,
      changes: [{ kind, market, shares }],
      admit: async (tx) => !key || (await selectTransactionByKey(tx, userId, key.keyHash)) === null,
      record: async (tx) => {
        const { epoch, funderAddress } = await requireAccount(tx, principal);
        const at = new Date(now());
        recorded = await insertWalletTransaction(tx, {
          id,
          userId,
          epoch,
          wallet: funderAddress,
          kind,
          marketId: market.id,
          shares,
          claims: null,
          status: "confirmed",
          waitReason: null,
          failure: null,
          isAutomatic: false,
          keyHash: key?.keyHash ?? null,
          fingerprint: key?.fingerprint ?? null,
          requestId,
          keyId,
          createdAt: at,
          updatedAt: at,
        });
        // An equal request committed first: this one is undone.
        if (!recorded) throw new KeyTaken();
      },
    })
    .catch((error: unknown) => {
      if (error instanceof KeyTaken) return { outcome: "not_admitted" } as const;
      throw error;
    });
  if (result.outcome === "forbidden") {
    throw new AppError(result.refusal.code, result.refusal.message);
  }
  if (result.outcome === "refused") throw refuse(kind, result.reason);
  return result.outcome === "changed" ? recorded : null;
}

class KeyTaken extends Error {}

function refuse(kind: SplitOrMergeRequest["kind"], reason: PositionRefusal): AppError {
  switch (reason) {
    case "insufficient_cash":
    case "insufficient_shares":
      return insufficient(kind, null);
    case "resolved":
      return new AppError("MARKET_CLOSED", "This market is resolved. Claim your shares instead.");
    case "not_resolved":
      return new AppError("ORDER_REJECTED", "This market isn't resolved yet.");
  }
}
