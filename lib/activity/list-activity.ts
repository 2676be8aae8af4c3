import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readCash } from "@/lib/ledger/read-balances";
import { readBalancesAfter, readCashLines } from "@/lib/ledger/cash-lines";
import type { ActivityLine } from "@/lib/schemas/account";
import { requireAccount } from "@/lib/accounts/require-account";
import { decodeCursor, encodeCursor, cutPage } from "@/lib/cursor";
import { PAGE_SIZE } from "@/lib/schemas/page-size";
import { subtract, type Usdc, usdc } from "@/lib/units";

const digits = z.string().regex(/^\d{1,18}$/);
/** Sequence and epoch of the last line, and the balance before it. */
const ActivityCursor = z.tuple([digits, z.int(), digits]);

export interface ActivityQuery {
  market?: string | undefined;
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

type Line = z.output<typeof ActivityLine>;

/** A live wallet's cash also changes outside of Ante, so the balance after a line is unknown. */
const NO_LINES = { lines: [], nextCursor: null };

/**
 * Returns the ledger lines of the caller's cash, newest first, each with the balance after it. A page
 * starts from the current balance, or from the one in its cursor, and walks back.
 */
export async function listActivity(
  principal: Principal,
  query: ActivityQuery,
): Promise<{ lines: Line[]; nextCursor: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  // A cursor carries a balance, so it is valid only for its own user.
  const list = `activity/${principal.userId}${query.market === undefined ? "" : "/market"}`;
  const after =
    query.nextCursor === undefined ? null : decodeCursor(list, ActivityCursor, query.nextCursor);
  if (principal.mode === "live") return NO_LINES;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const owner = { userId: account.userId, epoch: after?.[1] ?? account.epoch };
    const { owned } = await readCash(tx, owner);
    let balance: Usdc = after ? usdc(BigInt(after[2])) : owned;
    const found = await readCashLines(tx, owner, {
      before: after && BigInt(after[0]),
      limit: limit + 1,
      market: query.market,
    });
    // Lines of other markets lie in between, so each balance is looked up.
    const balances =
      query.market === undefined
        ? null
        : await readBalancesAfter(
            tx,
            owner,
            found.map(({ id }) => id),
          );
    const withBalances = found.map((line) => {
      const balanceAfter = balances?.get(line.id) ?? balance;
      balance = subtract(balance, line.amount);
      return { line, balanceAfter, balanceBefore: balance };
    });
    const { rows, nextCursor } = cutPage(withBalances, limit, ({ line, balanceBefore }) =>
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
