import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectFills } from "@/lib/db/queries/fills";
import type { FillRow } from "@/lib/db/rows";
import type { Fill } from "@/lib/schemas/orders";
import { decodeTimeCursor, encodeTimeCursor, cutPage } from "@/lib/cursor";
import { PAGE_SIZE } from "@/lib/schemas/page-size";

const LIST = "fills";

export interface FillsQuery {
  orderId?: string | undefined;
  market?: string | undefined;
  limit?: number | undefined;
  nextCursor?: string | undefined;
}

/** Returns the caller's fills, newest first. */
export async function listFills(
  principal: Principal,
  query: FillsQuery,
): Promise<{ fills: z.output<typeof Fill>[]; nextCursor: string | null }> {
  const limit = query.limit ?? PAGE_SIZE;
  const found = await selectFills(
    await getDb(),
    { account: principal, orderId: query.orderId, market: query.market },
    decodeTimeCursor(LIST, query.nextCursor),
    limit + 1,
  );
  const { rows, nextCursor } = cutPage(found, limit, (row) => encodeTimeCursor(LIST, row));
  return { fills: rows.map(toFill), nextCursor };
}

export function toFill(row: FillRow): z.output<typeof Fill> {
  return {
    id: row.id,
    tradeId: row.tradeId,
    orderId: row.orderId,
    marketId: row.marketId,
    tokenId: row.tokenId,
    action: row.action,
    role: row.role,
    price: row.price,
    shares: row.shares,
    amount: row.notional,
    fee: row.fee,
    createdAt: row.createdAt,
  };
}
