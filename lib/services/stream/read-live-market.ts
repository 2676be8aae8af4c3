import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectOrders } from "@/lib/db/queries/orders";
import { selectLastPrice } from "@/lib/db/queries/trades";
import { bookPriceOf, type OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import type { LiveBook, LiveMarket, RestingOwnOrder } from "@/lib/schemas/market-pages";
import { getBook } from "@/lib/services/markets/get-book";
import { outcomeOf, requireMarket } from "@/lib/services/markets/market-view";
import { NO_SHARES, subtract } from "@/lib/units";
import { venueOf } from "@/lib/venue";
import type { Market } from "@/lib/venue/port";

/** More of one's own orders in one market than a book can mark. */
const MAX_OWN = 200;

/** What moves on a market's page: the book of one outcome, and what the account has in it. */
export async function readLiveMarket(
  principal: Principal,
  idOrSlug: string,
  tokenId: string | undefined,
): Promise<z.output<typeof LiveMarket>> {
  const market = await requireMarket(venueOf(principal.mode), idOrSlug);
  const [live, orders] = await Promise.all([
    readLiveBook(principal, market, outcomeOf(market, tokenId)),
    readOwnOrders(principal, market),
  ]);
  return { live, orders };
}

export async function readLiveBook(
  principal: Principal,
  market: Market,
  outcome: OutcomeIndex,
): Promise<z.output<typeof LiveBook>> {
  const venue = venueOf(principal.mode);
  // Whoever follows a market holds it as it was when they came; it may have closed since.
  const current = await requireMarket(venue, market.id);
  const [book, quotes, last] = await Promise.all([
    getBook(principal, market.id, market.outcomes[outcome].tokenId),
    venue.getQuotes([current]),
    selectLastPrice(await getDb(), market.id),
  ]);
  const quote = quotes.get(market.id);
  assert(quote, "every market is quoted");
  return {
    book,
    status: venue.getState(current).status,
    mark: bookPriceOf(outcome, quote.mark),
    lastPrice: last === null ? null : bookPriceOf(outcome, last),
  };
}

export async function readOwnOrders(
  account: AccountRef,
  market: Market,
): Promise<z.output<typeof RestingOwnOrder>[]> {
  const filter = { account, marketId: market.id, statuses: ["open"] as const };
  const rows = await selectOrders(await getDb(), filter, null, MAX_OWN);
  return rows.flatMap(({ order }) =>
    order.price === null
      ? []
      : [
          {
            id: order.id,
            tokenId: order.tokenId,
            action: order.action,
            price: order.price,
            shares: order.shares === null ? NO_SHARES : subtract(order.shares, order.filledShares),
          },
        ],
  );
}
