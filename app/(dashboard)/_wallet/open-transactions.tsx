import { z } from "zod";
import { CancelTransactionForm } from "@/app/(dashboard)/_wallet/cancel-transaction-form";
import { TimeStamp } from "@/components/format/time-stamp";
import { Shares } from "@/components/format/values";
import { Callout } from "@/components/ui/callout";
import type { Principal } from "@/lib/auth/principal";
import { WalletTransaction } from "@/lib/schemas/wallet-transactions";
import { withStaleReads } from "@/lib/stale-reads";
import { listOpenTransactions } from "@/lib/wallet-transactions/list-transactions";

type Wire = z.input<typeof WalletTransaction> & { marketTitle: string | null };

const NAME: Record<Wire["kind"], string> = {
  redeem: "Claim",
  split: "Split",
  merge: "Merge",
  approve: "Contract approvals",
};

const STATE: Record<Wire["status"], string> = {
  waiting: "waiting",
  submitted: "submitted, waiting for the blockchain",
  unknown: "sent, waiting for Polymarket’s response",
  confirmed: "confirmed",
  failed: "failed",
};

/** Reads a live wallet's transactions that aren't final; none without a wallet, which pages say themselves. */
export async function readOpenTransactions(principal: Principal): Promise<Wire[]> {
  if (principal.mode === "paper") return [];
  const read = await withStaleReads(() => listOpenTransactions(principal));
  if (!read.isKnown) return [];
  return read.value.map(({ marketTitle, ...each }) => ({
    ...z.encode(WalletTransaction, each),
    marketTitle,
  }));
}

/** A live wallet's transactions that aren't final. They go on without the page. */
export function OpenTransactions({ transactions }: { transactions: readonly Wire[] }) {
  if (transactions.length === 0) return null;
  return (
    <div className="mb-4">
      <Callout tone="info" role="status" title="In progress on your wallet">
        <ul>
          {transactions.map(({ id, kind, status, marketTitle, shares, reason, createdAt }) => (
            <li key={id} className="not-first:mt-2">
              {NAME[kind]} {STATE[status]} · <TimeStamp at={createdAt} />
              {marketTitle !== null && (
                <span className="block">
                  {shares !== null && (
                    <>
                      <Shares shares={shares} /> {shares === 1 ? "pair" : "pairs"} of{" "}
                    </>
                  )}
                  {marketTitle}
                </span>
              )}
              {reason !== null && <span className="block text-text-2">{reason}</span>}
              {status === "waiting" && <CancelTransactionForm id={id} />}
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}
