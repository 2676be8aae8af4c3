import "server-only";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectLiveWallet } from "@/lib/db/queries/live-wallets";
import {
  type DatedRemoteOrder,
  hasUnknownOutcome,
  type ReconciliationLease,
  type RemoteOrder,
  selectFirstOrderAt,
  selectOpenSettlements,
  selectOrdersByVenueId,
  selectWatchedOrders,
} from "@/lib/db/queries/remote-orders";
import { isClosed } from "@/lib/domain/order-status";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import { raiseAlarm } from "@/lib/orders/live/alarms";
import { changeOrder, OrderChange, computeNeeded } from "@/lib/orders/live/order-change";
import {
  type Connection,
  queryOrder,
  recordOrderReport,
  skipFinalTrades,
  subtractClockMargin,
  applyOrderReport,
  awaitTrades,
  isReportedAsNotPlaced,
  mayHaveTraded,
} from "@/lib/orders/live/apply-report";
import { type AccountView, adoptOrders, addMissingTrades } from "@/lib/orders/live/adopt-orders";
import { cancelBatch } from "@/lib/orders/live/cancel-remote-orders";
import { buildAnswer, buildLateAnswer } from "@/lib/orders/live/placement-answer";
import type { VenueOrder, VenueTrade } from "@/lib/venue/port";

/** How far an account has been reconciled. */
type ComparedUntil = Pick<ReconciliationLease, "tradesUntil" | "externalUntil">;

export interface SyncReport extends ComparedUntil {
  /** Whether the next poll should come soon. */
  isWaiting: boolean;
}

/** Number of queries without the order before it is abandoned. */
const UNSEEN_BEFORE_ABANDONED = 3;
/** An abandoned order is still watched for this long. */
const WATCH_ABANDONED_MS = 24 * 3_600_000;

/**
 * Reconciles the recorded orders of an account with the venue and applies the differences. It reads
 * and cancels. It never posts an order.
 */
export async function syncAccount(
  connection: Connection,
  { tradesUntil, externalUntil }: ComparedUntil,
): Promise<SyncReport> {
  const { userId } = connection.trader;
  const startedAt = now();
  const db = await getDb();
  const watched = await cancelDue(connection);
  const from = tradesUntil.getTime() === 0 ? await selectFirstOrderAt(db, userId) : tradesUntil;
  const wallet = await selectLiveWallet(db, userId);
  const importedAt = wallet?.createdAt ?? new Date(startedAt);
  const since = computeTradesSince(
    watched,
    pickEarlier(from ?? importedAt, externalUntil ?? importedAt),
  );
  const view = await readAccount(connection, since);
  const areAllAdopted = await adoptOrders(connection, view, importedAt);
  const areAllKnown = await settleKnownTrades(connection, view);
  await cancelClosed(connection, view, startedAt);
  for (const row of watched) {
    await trySync(row.order.id, () => syncOrder(connection, row, view));
  }
  return {
    tradesUntil: areAllKnown ? new Date(startedAt) : tradesUntil,
    externalUntil: areAllAdopted ? new Date(startedAt) : externalUntil,
    isWaiting: await hasUnknownOutcome(db, userId),
  };
}

const pickEarlier = (one: Date, other: Date) => (one < other ? one : other);

/** Sends the recorded cancel requests that are due. Returns the watched orders, read after that. */
async function cancelDue(connection: Connection): Promise<DatedRemoteOrder[]> {
  const { userId } = connection.trader;
  const select = async () => selectWatchedOrders(await getDb(), userId, computeAbandonedSince());
  const watched = await select();
  const due = watched.filter(isCancelDue);
  if (due.length === 0) return watched;
  await cancelBatch(connection, due);
  return select();
}

/** Orders abandoned before this time are no longer watched. */
export const computeAbandonedSince = () => new Date(now() - WATCH_ABANDONED_MS);

/** Reconciles one order with the lists of the venue. */
async function syncOrder(
  connection: Connection,
  row: DatedRemoteOrder,
  view: AccountView,
): Promise<void> {
  const { order, remote } = row;
  if (isBeingPosted(row)) return;
  // The order was canceled and queried before the lists were read.
  if (isCancelDue(row)) return abandonIfGone(connection, order.id);
  const trades = view.trades.get(remote.venueOrderId) ?? [];
  const listed = view.open.get(remote.venueOrderId) ?? null;
  if (listed && trades.length === 0 && isUnchanged(listed, { order, remote })) return;
  const seen = listed ?? (await findUnlisted(connection, { order, remote }));
  const named = seen === null ? [] : await skipFinalTrades(order.id, seen.tradeIds);
  const known = await addMissingTrades(connection, named, trades);
  await recordOrderReport(
    { orderId: order.id, known: null },
    { order: seen, trades: known, cancel: null },
  );
  if (seen === null) await abandonIfGone(connection, order.id);
}

/** Whether a resting order is unchanged. Recording it would cost two commits per order and poll. */
function isUnchanged(listed: VenueOrder, { order, remote }: RemoteOrder): boolean {
  const isOpen = listed.status === "open" && order.status === "open";
  const isReserved = order.type === "limit" && order.held === computeNeeded({ order, remote });
  const wasSeen = remote.unseenCount === 0;
  return isOpen && isReserved && wasSeen && listed.matchedShares === order.filledShares;
}

/** Whether a request holds the posting lease. That request records the outcome. */
function isBeingPosted({ order, remote, readAt }: DatedRemoteOrder): boolean {
  return order.status === "submitting" && remote.postingUntil > readAt;
}

/** Whether to send a recorded cancel request. A delayed market order must match first. */
function isCancelDue(row: DatedRemoteOrder): boolean {
  const { type, status } = row.order;
  if (row.remote.cancelRequestedAt === null || isBeingPosted(row)) return false;
  return status !== "abandoned" && (type === "limit" || status !== "delayed");
}

/**
 * Cancels orders that are open at the venue but final here, which a wrong response or list can cause.
 * A rejected order is reopened first.
 *
 * @param readAt time before the venue's list was read. The list may contain orders closed later.
 */
async function cancelClosed(
  connection: Connection,
  view: AccountView,
  readAt: number,
): Promise<void> {
  const { venue, trader } = connection;
  const rows = await selectOrdersByVenueId(await getDb(), trader.userId, [...view.open.keys()]);
  for (const { order, remote } of rows) {
    if (
      !isClosed(order.status) ||
      order.status === "abandoned" ||
      order.updatedAt.getTime() >= readAt
    )
      continue;
    await trySync(order.id, async () => {
      // The list may be older than the close of the order.
      const seen = await venue.findOrder(trader, remote.venueOrderId);
      if (seen === null || (seen.status !== "open" && seen.status !== "delayed")) return;
      if (isReportedAsNotPlaced(order)) {
        const target = { orderId: order.id, known: null };
        await recordOrderReport(target, { order: seen, trades: [], cancel: null });
      } else raiseAlarm("CLOSED_ORDER_STANDS", { orderId: order.id, userId: trader.userId });
      await venue.cancelOrder(trader, remote.venueOrderId);
    });
  }
}

/** Queries an order that is not on the list of open orders. Skips abandoned orders. */
async function findUnlisted(
  { venue, trader }: Connection,
  { order, remote }: RemoteOrder,
): Promise<VenueOrder | null> {
  return order.status === "abandoned" ? null : venue.findOrder(trader, remote.venueOrderId);
}

/**
 * Abandons an order that the venue has not returned for long enough. The order is canceled by its
 * hash, in case it still arrives, and its reservation is released. An order that the venue accepted
 * and now reports as not open may have filled, so it ends only after its trades had time to be listed.
 */
async function abandonIfGone(connection: Connection, orderId: string): Promise<void> {
  const change = await withTransaction((tx) => OrderChange.lock(tx, orderId));
  if (!isGone(change) || isAwaitingTrades(change)) return;
  const { venue, trader } = connection;
  const askedAt = now();
  const { outcome } = await venue.cancelOrder(trader, change.remote.venueOrderId);
  if (outcome === "unknown") return;
  if (outcome === "not_open") await queryOrder(connection, change, outcome);
  await withTransaction(async (tx) => {
    const again = await OrderChange.lock(tx, orderId);
    // This cancel does not cover a later post, so the next poll cancels again. It also does so when
    // the cancel is old: queries after such a post may have found nothing, too.
    const wasPostedAgain = again.remote.unseenCount < change.remote.unseenCount;
    const isCancelOld = now() - askedAt >= env().ABANDON_AFTER_MS;
    if (wasPostedAgain || isCancelOld || !isGone(again)) return;
    if (outcome === "canceled") endUnseen(again, askedAt);
    else if (!buildAnswer(again.order)) abandon(again);
    else if (areTradesListedBy(again, askedAt))
      again.move("canceled", "canceled", { reason: "by_venue" });
    else return;
    await again.commit(tx, buildAnswer(again.order));
  });
}

/** Whether a query at that time lists every trade of an order that is not open. */
function areTradesListedBy({ remote: { notOpenAt } }: OrderChange, at: number): boolean {
  return notOpenAt !== null && at - notOpenAt.getTime() >= env().ABANDON_AFTER_MS;
}

/** Whether an accepted order is not open and its trades may not be listed yet. */
function isAwaitingTrades(change: OrderChange): boolean {
  const wasTaken = buildAnswer(change.order) !== null;
  return wasTaken && change.remote.notOpenAt !== null && !areTradesListedBy(change, now());
}

/** Ends an order that was open at the venue until its cancel, although no query returned it. */
function endUnseen(change: OrderChange, askedAt: number): void {
  if (mayHaveTraded(change) && !areTradesListedBy(change, askedAt)) return awaitTrades(change);
  change.move("canceled", "canceled", { reason: "given_up" });
}

/** Abandons an order that the venue never returned. */
function abandon(change: OrderChange): void {
  if (change.order.status === "submitting") change.move("unknown", "unknown");
  change.move("abandoned", "abandoned");
}

function isGone({ order, remote, readAt }: OrderChange): boolean {
  if (!["submitting", "unknown", "open", "delayed"].includes(order.status)) return false;
  if (remote.unseenCount < UNSEEN_BEFORE_ABANDONED) return false;
  // Every change, such as another post of the same bytes, restarts the wait. Each time is compared
  // with the clock that wrote it.
  const sinceChangeMs = now() - order.updatedAt.getTime();
  const sincePostingMs = readAt.getTime() - remote.postingUntil.getTime();
  return Math.min(sinceChangeMs, sincePostingMs) >= env().ABANDON_AFTER_MS;
}

/**
 * Updates the settlement of recorded trades, and records late trades of closed orders. Returns
 * whether it did so for every order.
 */
async function settleKnownTrades(
  { venue, trader }: Connection,
  view: AccountView,
): Promise<boolean> {
  const db = await getDb();
  const open = await selectOpenSettlements(db, trader.userId);
  const shown = new Set([...view.trades.values()].flat().map(({ tradeId }) => tradeId));
  const missing = open.filter(({ tradeId }) => !shown.has(tradeId)).map(({ tradeId }) => tradeId);
  const late = missing.length === 0 ? [] : await venue.getTrades(trader, missing);
  const byOrder = groupByOrder([...[...view.trades.values()].flat(), ...late]);
  const rows = await selectOrdersByVenueId(db, trader.userId, [...byOrder.keys()]);
  // A trade with contradicting figures is read again by the next poll.
  let areAllKnown = [...byOrder.values()].flat().every(({ parts }) => parts.length > 0);
  for (const { order, remote } of rows) {
    const trades = byOrder.get(remote.venueOrderId) ?? [];
    if (!(await trySync(order.id, () => addTrades(order.id, trades)))) areAllKnown = false;
  }
  return areAllKnown;
}

async function addTrades(orderId: string, trades: readonly VenueTrade[]): Promise<void> {
  await changeOrder({ orderId, known: null }, (change) => {
    if (!isReportedAsNotPlaced(change.order)) change.addTrades(trades);
    else applyOrderReport(change, { order: null, trades, cancel: null });
    return change.hasReappeared ? buildLateAnswer(change.order) : null;
  });
}

/** Runs `sync` for one order. A failure is logged and must not stop the others; returns success. */
async function trySync(orderId: string, sync: () => Promise<void>): Promise<boolean> {
  try {
    await sync();
    return true;
  } catch (error) {
    log.warn("order not reconciled", { orderId, ...errorFields(error) });
    return false;
  }
}

async function readAccount({ venue, trader }: Connection, since: number): Promise<AccountView> {
  const [open, trades] = await Promise.all([
    venue.listOpenOrders(trader),
    venue.listTrades(trader, since),
  ]);
  return {
    open: new Map(open.map((order) => [order.venueOrderId, order])),
    trades: groupByOrder(trades),
  };
}

/** Returns the start of the trade list: the oldest unseen order, or the end of the last poll. */
function computeTradesSince(watched: readonly RemoteOrder[], from: Date): number {
  const unseen = watched
    .filter(({ order }) => order.status === "submitting" || order.status === "unknown")
    .map(({ remote }) => remote.createdAt.getTime());
  return subtractClockMargin(new Date(Math.min(from.getTime(), ...unseen)));
}

function groupByOrder(trades: readonly VenueTrade[]): Map<string, VenueTrade[]> {
  const groups = new Map<string, VenueTrade[]>();
  for (const trade of trades) {
    groups.set(trade.venueOrderId, [...(groups.get(trade.venueOrderId) ?? []), trade]);
  }
  return groups;
}
