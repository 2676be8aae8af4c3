import { z } from "zod";
import { Money, Shares } from "@/components/format/values";
import { RefetchAccount } from "@/components/portfolio/refetch-account";
import { Callout } from "@/components/ui/callout";
import type { Principal } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { WalletTransaction } from "@/lib/schemas/wallet-transactions";
import { getTransaction } from "@/lib/wallet-transactions/list-transactions";

/** Tells that a merge was paid out or failed. One in progress is in the list of the page. */
export async function MergeReceipt({ principal, id }: { principal: Principal; id: string }) {
  const transaction = await findTransaction(principal, id);
  if (transaction?.kind !== "merge" || transaction.shares === null) return null;
  const { status, shares, reason, updatedAt } = transaction;
  if (status !== "confirmed" && status !== "failed") return null;
  return (
    <div className="mb-4">
      {status === "confirmed" ? (
        <Callout
          tone="success"
          role="status"
          title={
            <>
              Merged into <Money usdc={shares} />
            </>
          }
        >
          <p>
            <Shares shares={shares} /> shares of each outcome paid $1.00 per pair.
          </p>
        </Callout>
      ) : (
        <Callout tone="danger" role="status" title="Your shares weren’t merged">
          <p>{reason}</p>
        </Callout>
      )}
      <RefetchAccount key={updatedAt} />
    </div>
  );
}

async function findTransaction(principal: Principal, id: string) {
  try {
    return z.encode(WalletTransaction, await getTransaction(principal, id));
  } catch (error) {
    if (error instanceof AppError && error.code === "TRANSACTION_NOT_FOUND") return null;
    throw error;
  }
}
