import "server-only";
import { z } from "zod";
import { requireAccount } from "@/lib/accounts/require-account";
import type { Principal } from "@/lib/auth/principal";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/cursor";
import { withSnapshot } from "@/lib/db/client";
import {
  type ClosedPositionRow,
  selectClosedPositions,
  selectClosedTotals,
} from "@/lib/db/queries/closed-positions";
import { buildIconUrl } from "@/lib/public-url";
import { PAGE_SIZE } from "@/lib/schemas/page-size";
import type { ClosedPosition, ClosedPositions, ClosedTotals } from "@/lib/schemas/portfolio";
import { subtract } from "@/lib/units";

const LIST = "closed-positions";
/** Close time in milliseconds, token, number and epoch of the last row. A reset starts a new list. */
const ClosedCursor = z.tuple([
  z.int().min(0).max(8_640_000_000_000_000),
  z.string().regex(/^\d{1,80}$/),
  z.int32().min(1),
  z.int(),
]);

/**
 * Returns the caller's closed positions, newest first, with profit after fees. Null in live mode: the
 * venue reports open positions only, and trades placed elsewhere are not recorded here.
 */
export async function listClosedPositions(
  principal: Principal,
  { cursor, limit = PAGE_SIZE }: { cursor?: string | undefined; limit?: number },
): Promise<z.output<typeof ClosedPositions> | null> {
  const after = cursor === undefined ? null : decodeCursor(LIST, ClosedCursor, cursor);
  if (principal.mode === "live") return null;
  return withSnapshot(async (tx) => {
    const account = await requireAccount(tx, principal);
    const owner = { userId: account.userId, epoch: after?.[3] ?? account.epoch };
    const last = after && { closedAt: new Date(after[0]), tokenId: after[1], number: after[2] };
    const found = await selectClosedPositions(tx, owner, last, limit + 1);
    const { rows, nextCursor } = cutPage(found, limit, ({ closedAt, tokenId, number }) =>
      encodeCursor(LIST, [closedAt.getTime(), tokenId, number, owner.epoch]),
    );
    return { positions: rows.map(toClosedPosition), nextCursor };
  });
}

/** Returns the totals of the caller's closed positions; null in live mode, where they are unknown. */
export async function readClosedTotals(
  principal: Principal,
): Promise<z.output<typeof ClosedTotals> | null> {
  if (principal.mode === "live") return null;
  return withSnapshot(async (tx) => selectClosedTotals(tx, await requireAccount(tx, principal)));
}

function toClosedPosition(row: ClosedPositionRow): z.output<typeof ClosedPosition> {
  return {
    id: `${row.tokenId}/${row.number}`,
    marketTitle: row.title,
    marketSlug: row.slug,
    iconUrl: buildIconUrl(row.icon),
    outcome: row.outcome,
    shares: row.shares,
    boughtUsdc: row.bought,
    receivedUsdc: row.received,
    end: row.payout === null ? "sold" : row.payout > 0n ? "won" : "lost",
    fees: row.fees,
    pnl: subtract(subtract(row.received, row.bought), row.fees),
    closedAt: row.closedAt,
  };
}
