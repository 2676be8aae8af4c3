import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readCash } from "@/lib/ledger/balances";
import { readCashLines } from "@/lib/ledger/lines";
import type { ActivityLine } from "@/lib/schemas/account";
import { requireAccount } from "@/lib/services/account/require-account";
import { decodeCursor, encodeCursor, pageOf } from "@/lib/services/cursor";
import { PAGE_SIZE } from "@/lib/services/page-size";
import { subtract, type Usdc, usdc } from "@/lib/units";

const digits = z.string().regex(/^\d{1,18}$/);
/** Sequence and epoch of the last line, and the balance before it. */
const ActivityCursor = z.tuple([digits, z.int(), digits]);

export interface ActivityQuery {
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

type Line = z.output<typeof ActivityLine>;

/** A live wallet's cash also moves outside of us, so no line could say the balance after it. */
const NOTHING_KNOWN = { lines: [], nextCursor: null };

/**
 * Ledger lines of the caller's cash, newest first, each with the balance after it. A page starts
 * from the balance of today or from the one its cursor carries, and walks back.
 */
export async function listActivity(
  principal: Principal,
  query: ActivityQuery,
): Promise<{ lines: Line[]; nextCursor: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  // A cursor carries a balance, so it is good for its own user only.
  const list = `activity/${principal.userId}`;
  const after =
    query.nextCursor === undefined ? null : decodeCursor(list, ActivityCursor, query.nextCursor);
  if (principal.mode === "live") return NOTHING_KNOWN;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const owner = { userId: account.userId, epoch: after?.[1] ?? account.epoch };
    const { owned } = await readCash(tx, owner);
    let balance: Usdc = after ? usdc(BigInt(after[2])) : owned;
    const found = await readCashLines(tx, owner, after && BigInt(after[0]), limit + 1);
    const withBalances = found.map((line) => {
      const balanceAfter = balance;
      balance = subtract(balance, line.amount);
      return { line, balanceAfter, balanceBefore: balance };
    });
    const { rows, nextCursor } = pageOf(withBalances, limit, ({ line, balanceBefore }) =>
      encodeCursor(list, [line.sequence.toString(), owner.epoch, balanceBefore.toString()]),
    );
    const lines = rows.map(({ line, balanceAfter }) => ({
      id: line.id,
      kind: line.kind,
      amountUsdc: line.amount,
      balanceUsdc: balanceAfter,
      orderId: line.orderId,
      marketId: line.marketId,
      createdAt: line.createdAt,
    }));
    return { lines, nextCursor };
  });
}
