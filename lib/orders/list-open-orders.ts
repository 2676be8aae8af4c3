import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb } from "@/lib/db/client";
import { findOpenOrderIds } from "@/lib/db/queries/open-orders";
import { EncodedList } from "@/lib/schemas/envelope";
import type { OpenOrders } from "@/lib/schemas/orders";
import { decodeTimeCursor, encodeTimeCursor, cutPage } from "@/lib/cursor";
import { MAX_ROWS, PAGE_SIZE } from "@/lib/schemas/page-size";
import { formatMicro, NO_SHARES, NO_USDC, sum } from "@/lib/units";
import { buildIconUrl } from "@/lib/public-url";
import { type OrderMarket, selectOrderMarkets } from "@/lib/db/queries/order-history";
import {
  type OrderWithMarket,
  type Reserved,
  selectOrders,
  selectReserved,
} from "@/lib/db/queries/orders";
import { UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import type { OpenOrdersView, OrderLine } from "@/lib/schemas/dashboard-orders";
import type { OpenOrdersFilter } from "@/lib/orders/order-filters";
import { readMarketPrices } from "@/lib/orders/market-prices";
import { findOpenOrderViews } from "@/lib/orders/open-order-views";
import { toOpenOrderLine, toOrderLine } from "@/lib/orders/order-views";

const LIST = "open";

export interface OpenOrdersQuery {
  id?: string | undefined;
  market?: string | undefined;
  assetId?: string | undefined;
  onlyFirstPage?: "true" | "false" | undefined;
  nextCursor?: string | undefined;
}

/**
 * Lists the caller's open and delayed orders, newest first. The cursor is (created_at, id), so orders
 * that are placed or canceled between two pages neither hide nor repeat others.
 */
export async function listOpenOrders(
  principal: Principal,
  query: OpenOrdersQuery,
): Promise<z.output<typeof OpenOrders>> {
  const { rows, nextCursor } = await readPage(principal, query);
  return { orders: rows.map(({ view }) => view), nextCursor };
}

/** Lists the same as `OpenOrders` in JSON. Orders that were listed before are not encoded again. */
export async function encodeOpenOrders(
  principal: Principal,
  query: OpenOrdersQuery,
): Promise<EncodedList> {
  const { rows, nextCursor } = await readPage(principal, query);
  return new EncodedList(
    '{"orders":[',
    rows.map(({ json }) => json),
    `],"nextCursor":${JSON.stringify(nextCursor)}}`,
    nextCursor,
  );
}

async function readPage(principal: Principal, query: OpenOrdersQuery) {
  const limit = query.onlyFirstPage === "true" ? PAGE_SIZE : MAX_ROWS;
  const ids = await findOpenOrderIds(
    { account: principal, id: query.id, market: query.market, tokenId: query.assetId },
    decodeTimeCursor(LIST, query.nextCursor),
    limit + 1,
  );
  const found = await findOpenOrderViews(ids);
  return cutPage(found, limit, ({ view }) => encodeTimeCursor(LIST, view));
}

/** Returns the unsettled orders for the dashboard, newest first, with the funds they reserve. */
export async function getOpenOrdersView(
  principal: Principal,
  filter: OpenOrdersFilter,
): Promise<z.output<typeof OpenOrdersView>> {
  const db = await getDb();
  const newest = await selectOrders(
    db,
    { account: principal, marketId: filter.market, statuses: UNSETTLED_STATUSES },
    null,
    MAX_ROWS,
  );
  const matching = newest.filter((found) => matches(found, filter));
  const shown = matching.slice(0, filter.rows ?? MAX_ROWS);
  const findPrice = await readMarketPrices(
    principal,
    shown.map(({ order }) => order.marketId),
  );
  const reserved = await selectReserved(db, principal);
  const markets = await selectOrderMarkets(db, principal, UNSETTLED_STATUSES);
  return {
    orders: shown.map((found) => toOpenOrderLine(found, findPrice(found.order))),
    isCut: shown.length < matching.length || newest.length === MAX_ROWS,
    totals:
      filter.market === undefined
        ? addReserved([...reserved.values()])
        : (reserved.get(filter.market) ?? NOTHING),
    markets: addMissing(markets, shown).map(({ icon, tick, ...market }) => ({
      ...market,
      iconUrl: buildIconUrl(icon),
      tickSize: formatMicro(tick),
      totals: reserved.get(market.id) ?? NOTHING,
    })),
  };
}

/** Adds the markets of orders that have ended since they were read. */
function addMissing(
  markets: readonly OrderMarket[],
  rows: readonly OrderWithMarket[],
): OrderMarket[] {
  const all = new Map(markets.map((market) => [market.id, market]));
  for (const { market } of rows) {
    const { id, title, slug, icon, tick } = market;
    if (!all.has(id)) all.set(id, { id, title, slug, icon, tick });
  }
  return [...all.values()];
}

const NOTHING: Reserved = { count: 0, waiting: 0, buys: NO_USDC, sells: NO_SHARES };

function addReserved(parts: readonly Reserved[]): Reserved {
  return {
    count: parts.reduce((all, { count }) => all + count, 0),
    waiting: parts.reduce((all, { waiting }) => all + waiting, 0),
    buys: sum(parts.map(({ buys }) => buys)),
    sells: sum(parts.map(({ sells }) => sells)),
  };
}

/** Returns the account's unsettled orders in a market for the dashboard, newest first. */
export async function listMarketOrders(
  principal: Principal,
  marketId: string,
): Promise<z.output<typeof OrderLine>[]> {
  const filter = { account: principal, marketId, statuses: UNSETTLED_STATUSES };
  return (await selectOrders(await getDb(), filter, null, MAX_ROWS)).map(toOrderLine);
}

function matches({ order, market }: OrderWithMarket, { action, text }: OpenOrdersFilter): boolean {
  if (action !== undefined && order.action !== action) return false;
  if (text === undefined) return true;
  const outcome = order.outcome === 0 ? market.firstOutcome : market.secondOutcome;
  return `${market.title} ${outcome} ${order.id}`.toLowerCase().includes(text.toLowerCase());
}
