import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { selectClosedOrders, selectOrderMarkets } from "@/lib/db/queries/closed-orders";
import type { AccountRef } from "@/lib/db/queries/mode";
import { CLOSED_STATUSES } from "@/lib/domain/order-status";
import type { ClosedOrderPage } from "@/lib/schemas/order-views";
import { decodeTimeCursor, encodeTimeCursor, pageOf } from "@/lib/services/cursor";
import type { ClosedFilter } from "@/lib/services/orders/order-filters";
import { toOrderLine } from "@/lib/services/orders/order-line";

const LIST = "closed";
const SHOWN = 50;

interface Page {
  nextCursor?: string | undefined;
  limit?: number | undefined;
}

/** Orders that are over, last closed first. */
export async function listClosedOrders(
  principal: Principal,
  filter: ClosedFilter,
  { nextCursor: cursor, limit = SHOWN }: Page = {},
): Promise<z.output<typeof ClosedOrderPage>> {
  const { market, action, status, from, before } = filter;
  const found = await selectClosedOrders(
    await getDb(),
    {
      account: principal,
      marketId: market,
      action,
      statuses: status ? [status] : CLOSED_STATUSES,
      from,
      before,
    },
    decodeTimeCursor(LIST, cursor),
    limit + 1,
  );
  const { rows, nextCursor } = pageOf(found, limit, ({ order }) =>
    encodeTimeCursor(LIST, { createdAt: order.updatedAt, id: order.id }),
  );
  return { orders: rows.map(toOrderLine), nextCursor };
}

/** Markets in which the account has closed orders, by title. */
export async function listClosedMarkets(
  account: AccountRef,
): Promise<{ id: string; title: string }[]> {
  return selectOrderMarkets(await getDb(), account, CLOSED_STATUSES);
}
