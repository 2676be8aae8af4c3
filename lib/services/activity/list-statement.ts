import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import { readStatement, type StatementEntry, type StatementFilter } from "@/lib/ledger/statement";
import type { Statement, StatementLine } from "@/lib/schemas/statement";
import { requireAccount } from "@/lib/services/account/require-account";
import { decodeCursor, encodeCursor, pageOf } from "@/lib/services/cursor";
import { iconUrl } from "@/lib/services/public-url";
import { divide, formatMicro, price, SCALE } from "@/lib/units";

const LIST = "statement";
/** Sequence of the last entry, and its epoch: a reset begins another statement. */
const StatementCursor = z.tuple([z.string().regex(/^\d{1,18}$/), z.int()]);

/** A live wallet's cash also moves outside of us, so no line could say the cash after it. */
const NOTHING_KNOWN = { lines: [], nextCursor: null };

export interface StatementPage {
  limit: number;
  cursor?: string | undefined;
}

/** What happened to the caller's cash, event by event, newest first, each with the cash after it. */
export async function listStatement(
  principal: Principal,
  filter: StatementFilter,
  page: StatementPage,
): Promise<z.output<typeof Statement>> {
  const after = page.cursor === undefined ? null : decodeCursor(LIST, StatementCursor, page.cursor);
  if (principal.mode === "live") return NOTHING_KNOWN;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const owner = { userId: account.userId, epoch: after?.[1] ?? account.epoch };
    const before = after && BigInt(after[0]);
    const found = await readStatement(tx, owner, filter, { before, limit: page.limit + 1 });
    const { rows, nextCursor } = pageOf(found, page.limit, ({ sequence }) =>
      encodeCursor(LIST, [sequence.toString(), owner.epoch]),
    );
    return { lines: rows.map(toLine), nextCursor };
  });
}

/** What was paid was rounded down. */
const paidPerShare = ({ amount, shares }: StatementEntry) =>
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
      iconUrl: iconUrl(market.icon),
      outcome: market.outcome,
      tickSize: formatMicro(market.tick),
    },
    orderId: entry.orderId,
    shares: entry.shares,
    // A share of a winner paid a dollar, one of a loser nothing; a market may pay both in part.
    price: entry.kind === "claim" ? paidPerShare(entry) : entry.price,
    createdAt: entry.createdAt,
  };
}
