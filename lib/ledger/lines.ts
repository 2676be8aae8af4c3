import "server-only";
import { and, desc, eq, inArray, lt, notInArray, or } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { fills } from "@/lib/db/schema/trading";
import { assert } from "@/lib/errors";
import { available, held, type Owner, USDC } from "@/lib/ledger/accounts";
import type { TransferKind } from "@/lib/ledger/transfers";
import { type Usdc, usdc } from "@/lib/units";

type CashLineKind = "deposit" | "trade" | "fee" | "redeem";

/** To its owner a trade is a trade, whether shares changed hands, were made or destroyed. */
const KINDS: Record<TransferKind, CashLineKind | null> = {
  deposit: "deposit",
  trade: "trade",
  mint: "trade",
  merge: "trade",
  fee: "fee",
  redeem: "redeem",
  reversal: "trade",
  hold: null,
  release: null,
};

/** A change of the cash a user owns. Holds and releases only move it within the account. */
export interface CashLine {
  id: string;
  sequence: bigint;
  kind: CashLineKind;
  /** Positive when received. */
  amount: Usdc;
  orderId: string | null;
  marketId: string | null;
  createdAt: Date;
}

/** The newest cash lines of a user, older than `before`. */
export async function readCashLines(
  tx: Tx,
  owner: Owner,
  before: bigint | null,
  limit: number,
): Promise<CashLine[]> {
  const own = [available(owner, USDC).id, held(owner, USDC).id];
  const rows = await tx
    .select({ transfer: ledgerTransfers, ownOrderId: fills.orderId })
    .from(ledgerTransfers)
    // A trade's row has two parties; the owner's own fill of it tells the owner's order.
    .leftJoin(
      fills,
      and(eq(fills.tradeId, ledgerTransfers.groupId), eq(fills.userId, owner.userId)),
    )
    .where(
      and(
        or(inArray(ledgerTransfers.debitAccount, own), inArray(ledgerTransfers.creditAccount, own)),
        notInArray(ledgerTransfers.kind, ["hold", "release"]),
        before === null ? undefined : lt(ledgerTransfers.sequence, before),
      ),
    )
    .orderBy(desc(ledgerTransfers.sequence))
    .limit(limit);
  return rows.map(({ transfer: row, ownOrderId: orderId }) => {
    const { id, sequence, marketId, createdAt } = row;
    const kind = KINDS[row.kind];
    assert(kind !== null, "holds and releases were left out");
    const amount = usdc(own.includes(row.creditAccount) ? row.amount : -row.amount);
    return { id, sequence, kind, amount, orderId, marketId, createdAt };
  });
}
