import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import type { AccountRef } from "@/lib/db/queries/mode";
import { selectOrders } from "@/lib/db/queries/orders";
import { selectLastPrice } from "@/lib/db/queries/trades";
import { toBookPrice, type OutcomeIndex } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import type { LiveBook, LiveMarket, RestingOwnOrder } from "@/lib/schemas/market-pages";
import { getBook } from "@/lib/markets/get-book";
import { requireOutcome, requireMarket } from "@/lib/markets/market-view";
import { NO_SHARES, subtract } from "@/lib/units";
import { getVenue } from "@/lib/venues";
import type { Market } from "@/lib/venue/port";

/** The most own orders that a book marks. */
const MAX_OWN = 200;

/** Reads the live data of a market's page: the book of one outcome, and the account's open orders. */
export async function readLiveMarket(
  principal: Principal,
  idOrSlug: string,
  tokenId: string | undefined,
): Promise<z.output<typeof LiveMarket>> {
  const market = await requireMarket(getVenue(principal.mode), idOrSlug);
  const [live, orders] = await Promise.all([
    readLiveBook(principal, market, requireOutcome(market, tokenId)),
    readOwnOrders(principal, market),
  ]);
  return { live, orders };
}

export async function readLiveBook(
  principal: Principal,
  market: Market,
  outcome: OutcomeIndex,
): Promise<z.output<typeof LiveBook>> {
  const venue = getVenue(principal.mode);
  // A stream passes the market as it was when the stream began. It can have closed since.
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
    mark: toBookPrice(outcome, quote.mark),
    lastPrice: last === null ? null : toBookPrice(outcome, last),
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
