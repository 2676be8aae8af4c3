import "server-only";
import { and, desc, eq, inArray, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/lib/db/database";
import { ledgerTransfers } from "@/lib/db/schema/ledger";
import { fills } from "@/lib/db/schema/trading";
import { assert } from "@/lib/errors";
import { isInMarket } from "@/lib/db/text";
import { available, held, type Owner, USDC } from "@/lib/ledger/accounts";
import type { TransferKind } from "@/lib/ledger/transfers";
import { type Usdc, usdc } from "@/lib/units";

type CashLineKind = "deposit" | "trade" | "fee" | "redeem";

/** Maps transfer kinds to line kinds. Mints and merges are trades to the user, and so are splits. */
const KINDS: Record<TransferKind, CashLineKind | null> = {
  deposit: "deposit",
  trade: "trade",
  mint: "trade",
  merge: "trade",
  fee: "fee",
  redeem: "redeem",
  split_position: "trade",
  merge_positions: "trade",
  reversal: "trade",
  hold: null,
  release: null,
};

/** A change of the cash that a user owns. Holds and releases are not included. */
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

/** Reads a user's newest cash lines before a sequence, optionally of one market by id or slug. */
export async function readCashLines(
  tx: Tx,
  owner: Owner,
  { before, limit, market }: { before: bigint | null; limit: number; market?: string | undefined },
): Promise<CashLine[]> {
  const own = listCashAccounts(owner);
  const rows = await tx
    .select({ transfer: ledgerTransfers, ownOrderId: fills.orderId })
    .from(ledgerTransfers)
    // A trade has two parties. The owner's fill names the owner's order.
    .leftJoin(
      fills,
      and(eq(fills.tradeId, ledgerTransfers.groupId), eq(fills.userId, owner.userId)),
    )
    .where(
      and(
        isCashLine(own),
        isInMarket(ledgerTransfers.marketId, market),
        before === null ? undefined : lt(ledgerTransfers.sequence, before),
      ),
    )
    .orderBy(desc(ledgerTransfers.sequence))
    .limit(limit);
  return rows.map(({ transfer: row, ownOrderId: orderId }) => {
    const { id, sequence, marketId, createdAt } = row;
    const kind = KINDS[row.kind];
    assert(kind !== null, "holds and releases are not cash lines");
    const amount = usdc(own.includes(row.creditAccount) ? row.amount : -row.amount);
    return { id, sequence, kind, amount, orderId, marketId, createdAt };
  });
}

/** Reads the cash that a user owned after each of the given lines, by line id. */
export async function readBalancesAfter(
  tx: Tx,
  owner: Owner,
  ids: readonly string[],
): Promise<Map<string, Usdc>> {
  if (ids.length === 0) return new Map();
  const own = listCashAccounts(owner);
  const { id, sequence, amount, creditAccount } = ledgerTransfers;
  const all = tx
    .select({
      id,
      balance: sql<string>`sum(case when ${inArray(creditAccount, own)} then ${amount}
        else -${amount} end) over (order by ${sequence})`.as("balance"),
    })
    .from(ledgerTransfers)
    .where(isCashLine(own))
    .as("all_lines");
  const rows = await tx
    .select()
    .from(all)
    .where(inArray(all.id, [...ids]));
  return new Map(rows.map((row) => [row.id, usdc(BigInt(row.balance))]));
}

const listCashAccounts = (owner: Owner) => [available(owner, USDC).id, held(owner, USDC).id];

function isCashLine(own: string[]): SQL | undefined {
  return and(
    or(inArray(ledgerTransfers.debitAccount, own), inArray(ledgerTransfers.creditAccount, own)),
    notInArray(ledgerTransfers.kind, ["hold", "release"]),
  );
}
