import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { Tx } from "@/lib/db/database";
import { selectOrders } from "@/lib/db/queries/orders";
import { type OutcomeBook, separateOwn } from "@/lib/domain/ticket/book";
import { getBook } from "@/lib/markets/get-book";
import { requireMarket, requireOutcome } from "@/lib/markets/market-view";
import { toOrderLine } from "@/lib/orders/order-views";
import { MAX_ROWS } from "@/lib/schemas/page-size";
import { OwnOrder } from "@/lib/schemas/ticket";
import { getVenue } from "@/lib/venues";

/** Returns an outcome's book as the ticket estimates with it: without the account's own orders. */
export async function getTicketBook(
  principal: Principal,
  marketId: string,
  tokenId: string,
): Promise<OutcomeBook> {
  const market = await requireMarket(getVenue(principal.mode), marketId);
  const { name } = market.outcomes[requireOutcome(market, tokenId)];
  const [book, orders] = await Promise.all([
    getBook(principal, marketId, tokenId),
    selectOwnOrders(await getDb(), principal, marketId),
  ]);
  return separateOwn(book, name, z.encode(z.array(OwnOrder), orders));
}

/** Selects the account's orders in the market's book. */
export async function selectOwnOrders(
  tx: Tx,
  account: Principal,
  marketId: string,
): Promise<z.output<typeof OwnOrder>[]> {
  const rows = await selectOrders(tx, { account, marketId, statuses: ["open"] }, null, MAX_ROWS);
  return rows.map((row) => {
    const { status, action, outcome, price, shares, filledShares } = toOrderLine(row);
    return { status, action, outcome, price, shares, filledShares };
  });
}
