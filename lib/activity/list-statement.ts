import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { withSnapshot } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { nextMonth, toMonth, toStartOfDay } from "@/lib/domain/days";
import type { Owner } from "@/lib/ledger/accounts";
import {
  readStatement,
  type StatementEntry,
  type StatementFilter,
  type StatementPeriod,
  type StatementSums,
  sumStatement,
} from "@/lib/ledger/statement";
import type {
  Statement,
  StatementLine,
  StatementSheet,
  StatementTotals,
} from "@/lib/schemas/statement";
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
  const after = decodePosition(page.cursor);
  if (principal.mode === "live") return NO_LINES;
  return withSnapshot(async (tx) => {
    const owner = await findOwner(tx, principal, after);
    return readPage(tx, owner, filter, { after, limit: page.limit });
  });
}

/**
 * Like `listStatement`, with the totals of the page's months and of all matching lines, read at the same
 * moment.
 *
 * @param zone the time zone in which months begin and end.
 */
export async function getStatementSheet(
  principal: Principal,
  filter: StatementFilter,
  page: StatementPage,
  zone: string,
): Promise<z.output<typeof StatementSheet>> {
  const after = decodePosition(page.cursor);
  if (principal.mode === "live") return { ...NO_LINES, months: [], total: null };
  return withSnapshot(async (tx) => {
    const owner = await findOwner(tx, principal, after);
    const { lines, nextCursor } = await readPage(tx, owner, filter, { after, limit: page.limit });
    const months = [...new Set(lines.map(({ createdAt }) => toMonth(createdAt, zone)))];
    const periods = months.map((month) => toPeriod(month, zone));
    const [total, ...ofMonths] = await sumStatement(tx, owner, filter, [{}, ...periods]);
    // Lines that a filter leaves out change the balance in between.
    const isComplete = filter.type === undefined && filter.text === undefined;
    return {
      lines,
      nextCursor,
      total: total ? toTotals(total, isComplete) : null,
      months: months.flatMap((month, place) => {
        const sums = ofMonths[place];
        return sums ? [{ month, ...toTotals(sums, isComplete) }] : [];
      }),
    };
  });
}

type Position = z.output<typeof StatementCursor> | null;

const decodePosition = (cursor: string | undefined): Position =>
  cursor === undefined ? null : decodeCursor(LIST, StatementCursor, cursor);

async function findOwner(tx: Tx, principal: Principal, after: Position): Promise<Owner> {
  const { userId, epoch } = await requireAccount(tx, principal);
  return { userId, epoch: after?.[1] ?? epoch };
}

async function readPage(
  tx: Tx,
  owner: Owner,
  filter: StatementFilter,
  { after, limit }: { after: Position; limit: number },
): Promise<z.output<typeof Statement>> {
  const before = after && BigInt(after[0]);
  const found = await readStatement(tx, owner, filter, { before, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ sequence }) =>
    encodeCursor(LIST, [sequence.toString(), owner.epoch]),
  );
  return { lines: rows.map(toLine), nextCursor };
}

/** Returns the instants at which a month begins and ends in a time zone. */
function toPeriod(month: string, zone: string): StatementPeriod {
  return {
    from: new Date(toStartOfDay(`${month}-01`, zone)),
    to: new Date(toStartOfDay(`${nextMonth(month)}-01`, zone)),
  };
}

function toTotals(sums: StatementSums, isComplete: boolean): z.output<typeof StatementTotals> {
  return {
    lines: sums.lines,
    receivedUsdc: sums.received,
    paidUsdc: sums.paid,
    feesUsdc: sums.fees,
    openingUsdc: isComplete ? sums.opening : null,
    closingUsdc: isComplete ? sums.closing : null,
  };
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
