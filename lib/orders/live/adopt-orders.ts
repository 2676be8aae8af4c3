import "server-only";
import { NO_CAUSE } from "@/lib/ledger/account-log";
import { recordOrderEvents } from "@/lib/db/queries/order-events";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import {
  insertExternalOrder,
  type ExternalOrder,
  selectMarketOfToken,
} from "@/lib/db/queries/external-orders";
import { selectKnownVenueIds } from "@/lib/db/queries/remote-orders";
import { isLive } from "@/lib/domain/order-status";
import { sumShares } from "@/lib/domain/trade-parts";
import { newId } from "@/lib/ids";
import { errorFields, log } from "@/lib/log";
import { type Connection, applyOrderReport } from "@/lib/orders/live/apply-report";
import { raiseAlarm } from "@/lib/orders/live/alarms";
import { getTokenProtocol } from "@/lib/polymarket/protocol/position-id";
import { OrderChange } from "@/lib/orders/live/order-change";
import { NO_SHARES, NO_USDC, price } from "@/lib/units";
import {
  type Market,
  NO_FIGURES,
  type RemoteVenue,
  type VenueOrder,
  type VenueOrderDetails,
  type VenueTrade,
} from "@/lib/venue/port";

/** The open orders and trades of an account, as the venue listed them. */
export interface AccountView {
  open: ReadonlyMap<string, VenueOrder>;
  /** Trades by venue order id. */
  trades: ReadonlyMap<string, VenueTrade[]>;
}

/**
 * Records the orders that other programs placed with the same wallet: every open order, and orders
 * that traded since the wallet was imported. Ante records its own orders before it posts them, so an
 * unrecorded order is external. An adopted order is recorded with all its trades.
 *
 * @returns whether every such order is recorded now.
 */
export async function adoptOrders(
  connection: Connection,
  view: AccountView,
  importedAt: Date,
): Promise<boolean> {
  const wallet = connection.trader.funderAddress.toLowerCase();
  // All wallets of an owner share one account at the venue. In Ante, each wallet is an account.
  const isOwn = (shown: { wallet: string | null }) => (shown.wallet ?? wallet) === wallet;
  const open = [...view.open.values()].filter(isOwn);
  const traded = [...view.trades].filter(([, trades]) =>
    trades.some((trade) => isOwn(trade) && trade.matchedAt >= importedAt.getTime()),
  );
  const shown = [...open.map(({ venueOrderId }) => venueOrderId), ...traded.map(([id]) => id)];
  const known = await selectKnownVenueIds(await getDb(), shown);
  let areAllAdopted = true;
  for (const venueOrderId of new Set(shown.filter((id) => !known.has(id)))) {
    try {
      if (!(await adopt(connection, view, venueOrderId))) areAllAdopted = false;
    } catch (error) {
      areAllAdopted = false;
      const { userId } = connection.trader;
      log.error("external order not adopted", { userId, ...errorFields(error) });
    }
  }
  return areAllAdopted;
}

/** Adds the trades with these ids that are not in the list. */
export async function addMissingTrades(
  { venue, trader }: Connection,
  tradeIds: readonly string[],
  trades: readonly VenueTrade[],
): Promise<readonly VenueTrade[]> {
  const had = new Set(trades.map(({ tradeId }) => tradeId));
  const missing = tradeIds.filter((id) => !had.has(id));
  if (missing.length === 0) return trades;
  return [...trades, ...(await venue.getTrades(trader, missing))];
}

/** Returns whether the order is recorded now, or needs no record because it never traded. */
async function adopt(
  connection: Connection,
  view: AccountView,
  venueOrderId: string,
): Promise<boolean> {
  const { venue, trader } = connection;
  const listed = view.open.get(venueOrderId);
  const seen = listed ?? (await venue.findOrder(trader, venueOrderId));
  if (seen?.status === "rejected" && seen.matchedShares === 0n) return true;
  const shown = view.trades.get(venueOrderId) ?? [];
  const all = seen === null ? shown : await addMissingTrades(connection, seen.tradeIds, shown);
  const trades = all.filter((trade) => trade.venueOrderId === venueOrderId);
  const details = seen?.details ?? deriveDetails(trades);
  if (!details || trades.some(({ parts }) => parts.length === 0)) {
    raiseAlarm("TRADE_CONTRADICTS", { userId: trader.userId });
    return false;
  }
  const external = {
    orderId: newId("ord"),
    trader,
    venueOrderId,
    details,
    market: await findMarket(venue, details),
    createdAt: new Date(details.createdAt ?? Math.min(...trades.map(matchedAt), now())),
  };
  await recordOrder(external, seen ?? createFinishedOrder(venueOrderId, trades), trades);
  return true;
}

const matchedAt = (trade: VenueTrade) => trade.matchedAt;

/** Inserts the order and applies the venue's state to it, in one transaction. */
async function recordOrder(
  external: ExternalOrder,
  order: VenueOrder,
  trades: readonly VenueTrade[],
): Promise<void> {
  const { orderId, trader, venueOrderId } = external;
  try {
    const isInserted = await withTransaction(async (tx) => {
      const row = await insertExternalOrder(tx, external);
      if (!row) return false;
      const detail = { origin: "external", venueOrderId };
      await recordOrderEvents(tx, [{ row, type: "received", keyId: null, detail }], NO_CAUSE);
      const change = await OrderChange.lock(tx, orderId);
      // The wallet has already paid for past trades, so only the open remainder is reserved.
      applyOrderReport(change, { order, trades, cancel: null });
      if (isLive(change.order.status)) change.holdRest();
      await change.commit(tx);
      return true;
    });
    if (isInserted) log.info("external order adopted", { orderId, userId: trader.userId });
  } catch (error) {
    // Another process adopted the order at the same time.
    if (!isUniqueViolation(error)) throw error;
  }
}

/** Derives the details of an order that the venue no longer returns from its trades. */
function deriveDetails(trades: readonly VenueTrade[]): VenueOrderDetails | null {
  const terms = trades.find((trade) => trade.terms !== null)?.terms;
  if (!terms) return null;
  const unknown = { price: null, shares: null, amount: null, createdAt: null, expiresAt: null };
  return { ...terms, orderType: "GTC", ...unknown };
}

function createFinishedOrder(venueOrderId: string, trades: readonly VenueTrade[]): VenueOrder {
  return {
    venueOrderId,
    status: "matched",
    matchedShares: sumShares(trades.flatMap(({ parts }) => parts)),
    tradeIds: trades.map(({ tradeId }) => tradeId),
    wallet: null,
    details: null,
  };
}

/** Returns null if the market is recorded, else the venue's listing, else a placeholder. */
async function findMarket(
  venue: RemoteVenue,
  { marketId, tokenId }: VenueOrderDetails,
): Promise<Market | null> {
  if ((await selectMarketOfToken(await getDb(), tokenId)) === marketId) return null;
  const found = await venue.findMarketByToken(tokenId);
  if (found?.market.id === marketId) return found.market;
  return {
    id: marketId,
    slug: marketId,
    title: `Unlisted market ${marketId.slice(0, 10)}…`,
    eventSlug: marketId,
    eventTitle: "",
    series: null,
    label: null,
    category: "other",
    rules: "",
    resolutionSource: "",
    icon: "category-other.svg",
    outcomes: [
      { name: "Unknown outcome", tokenId },
      { name: "Unknown outcome", tokenId: `unlisted/${tokenId}` },
    ],
    tick: price(100n),
    minOrderShares: NO_SHARES,
    minBuyAmount: NO_USDC,
    feeRate: 0n,
    isNegRisk: false,
    protocol: getTokenProtocol(tokenId),
    untradable: "The venue does not list this market.",
    popularity: 0,
    figures: NO_FIGURES,
    opensAt: now(),
    closesAt: now(),
    resolvesAt: now(),
  };
}
