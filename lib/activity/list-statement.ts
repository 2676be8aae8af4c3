import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readStatement, type StatementEntry, type StatementFilter } from "@/lib/ledger/statement";
import type { Statement, StatementLine } from "@/lib/schemas/statement";
import { requireAccount } from "@/lib/accounts/require-account";
import { decodeCursor, encodeCursor, cutPage } from "@/lib/cursor";
import { buildIconUrl } from "@/lib/public-url";
import { divide, formatMicro, price, SCALE } from "@/lib/units";

const LIST = "statement";
/** Sequence and epoch of the last entry. A reset starts a new statement. */
const StatementCursor = z.tuple([z.string().regex(/^\d{1,18}$/), z.int()]);

/** A live wallet's cash also changes outside of Ante, so the balance after a line is unknown. */
const NO_LINES = { lines: [], nextCursor: null };

export interface StatementPage {
  limit: number;
  cursor?: string | undefined;
}

/** Returns the changes of the caller's cash, one line per event, newest first, with the balance after. */
export async function listStatement(
  principal: Principal,
  filter: StatementFilter,
  page: StatementPage,
): Promise<z.output<typeof Statement>> {
  const after = page.cursor === undefined ? null : decodeCursor(LIST, StatementCursor, page.cursor);
  if (principal.mode === "live") return NO_LINES;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const owner = { userId: account.userId, epoch: after?.[1] ?? account.epoch };
    const before = after && BigInt(after[0]);
    const found = await readStatement(tx, owner, filter, { before, limit: page.limit + 1 });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ sequence }) =>
      encodeCursor(LIST, [sequence.toString(), owner.epoch]),
    );
    return { lines: rows.map(toLine), nextCursor };
  });
}

/** The payout was rounded down, so the price per share is rounded up. */
const computePayoutPrice = ({ amount, shares }: StatementEntry) =>
  shares === null || shares === 0n ? null : price(divide(amount * SCALE, shares, "up"));

function toLine(entry: StatementEntry): z.output<typeof StatementLine> {
  const { market } = entry;
  return {
    id: entry.groupId,
    kind: entry.kind,
    amountUsdc: entry.amount,
    feeUsdc: entry.fee,
    balanceUsdc: entry.balance,
    market: market && {
      title: market.title,
      slug: market.slug,
      iconUrl: buildIconUrl(market.icon),
      outcome: market.outcome,
      tickSize: formatMicro(market.tick),
    },
    orderId: entry.orderId,
    shares: entry.shares,
    // A winning share pays 1, a losing one 0; a market can also split the payout.
    price: entry.kind === "claim" ? computePayoutPrice(entry) : entry.price,
    createdAt: entry.createdAt,
  };
}
