import "server-only";
import { now } from "@/lib/clock";
import { getDb, withTransaction } from "@/lib/db/client";
import {
  type RemoteOrder,
  selectFirstOrderAt,
  selectOpenSettlements,
  selectOrdersByVenueId,
  selectWatchedOrders,
} from "@/lib/db/queries/remote-orders";
import { env } from "@/lib/env";
import { errorFields, log } from "@/lib/log";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { askToCancel } from "@/lib/services/remote-orders/cancel-remote-order";
import { lookUp, recordSighting } from "@/lib/services/remote-orders/look";
import { OrderChange, stillNeeded } from "@/lib/services/remote-orders/order-change";
import { answerOf } from "@/lib/services/remote-orders/remote-answer";
import { awaitTrades, mayHaveTraded } from "@/lib/services/remote-orders/sighting";
import type { VenueOrder, VenueTrade } from "@/lib/venue/port";

export interface SyncReport {
  /** Trades up to here are known now. */
  tradesUntil: Date;
  /** Whether the next look should come soon. */
  isWaiting: boolean;
}

/** What the venue shows of an account at one moment. */
interface AccountView {
  open: ReadonlyMap<string, VenueOrder>;
  /** Trades by the venue's order id. */
  trades: ReadonlyMap<string, VenueTrade[]>;
}

/** Looks that must have found nothing before an order is given up. */
const UNSEEN_BEFORE_ABANDONED = 3;
/** How long an order that was given up is still watched for. */
const WATCH_ABANDONED_MS = 24 * 3_600_000;
/** The venue dates trades in whole seconds, by another clock, and lists some late. */
const TRADE_OVERLAP_MS = 120_000;

/**
 * Compares what we know of an account with what the venue shows, and repairs the difference. It
 * reads and cancels; it never posts an order.
 *
 * @param tradesUntil trades up to this instant were seen before.
 */
export async function syncAccount(connection: Connection, tradesUntil: Date): Promise<SyncReport> {
  const { userId } = connection.trader;
  const startedAt = now();
  const db = await getDb();
  const watched = await selectWatchedOrders(db, userId, abandonedSince());
  const from = tradesUntil.getTime() === 0 ? await selectFirstOrderAt(db, userId) : tradesUntil;
  const view = await readAccount(connection, sinceOf(watched, from ?? new Date(startedAt)));
  const areAllKnown = await settleKnownTrades(connection, view);
  for (const row of watched) {
    await unlessBroken(row.order.id, () => syncOrder(connection, row, view));
  }
  return {
    tradesUntil: areAllKnown ? new Date(startedAt) : tradesUntil,
    isWaiting: await hasUnknown(userId),
  };
}

/** Whether anybody waits for something that only the venue can tell. Resting orders do not. */
async function hasUnknown(userId: string): Promise<boolean> {
  const db = await getDb();
  if ((await selectOpenSettlements(db, userId)).length > 0) return true;
  const watched = await selectWatchedOrders(db, userId, abandonedSince());
  return watched.some(
    ({ order, remote }) =>
      order.status !== "abandoned" &&
      (order.status !== "open" || remote.cancelRequestedAt !== null),
  );
}

/** Instants before which an abandoned order is not looked for any more. */
export const abandonedSince = () => new Date(now() - WATCH_ABANDONED_MS);

/** The venue's state of one order, and what follows from it. */
async function syncOrder(
  connection: Connection,
  { order, remote }: RemoteOrder,
  view: AccountView,
): Promise<void> {
  // Its owner is posting right now, and records what comes of it.
  if (remote.postingUntil.getTime() > now() && order.status === "submitting") return;
  if (remote.cancelRequestedAt !== null && isCancelDue(order)) {
    await askToCancel(connection, { remote });
    return giveUpIfGone(connection, order.id);
  }
  const trades = view.trades.get(remote.venueOrderId) ?? [];
  const listed = view.open.get(remote.venueOrderId) ?? null;
  if (listed && trades.length === 0 && isAsKnown(listed, { order, remote })) return;
  const seen = listed ?? (await findUnlisted(connection, { order, remote }));
  const known = seen === null ? trades : await withMissing(connection, seen, trades);
  await recordSighting(
    { orderId: order.id, known: null },
    { order: seen, trades: known, cancel: null },
  );
  if (seen === null) await giveUpIfGone(connection, order.id);
}

/** It rests as it did: recording that would cost two commits for every order of every look. */
function isAsKnown(listed: VenueOrder, { order, remote }: RemoteOrder): boolean {
  const isStanding = listed.status === "open" && order.status === "open";
  const isReserved = order.type === "limit" && order.held === stillNeeded(order);
  const wasSeen = remote.unseenCount === 0;
  return isStanding && isReserved && wasSeen && listed.matchedShares === order.filledShares;
}

/** What is left of a market order is canceled only after the venue has let it match. */
function isCancelDue({ type, status }: RemoteOrder["order"]): boolean {
  return status !== "abandoned" && (type === "limit" || status !== "delayed");
}

/** An order that was given up costs a look only when the lists show it. */
async function findUnlisted(
  { venue, trader }: Connection,
  { order, remote }: RemoteOrder,
): Promise<VenueOrder | null> {
  return order.status === "abandoned" ? null : venue.findOrder(trader, remote.venueOrderId);
}

async function withMissing(
  { venue, trader }: Connection,
  seen: VenueOrder,
  trades: readonly VenueTrade[],
): Promise<readonly VenueTrade[]> {
  const had = new Set(trades.map(({ tradeId }) => tradeId));
  const missing = seen.tradeIds.filter((id) => !had.has(id));
  if (missing.length === 0) return trades;
  return [...trades, ...(await venue.getTrades(trader, missing))];
}

/**
 * Gives an order up that the venue has not shown for long enough: it is canceled by its hash, in
 * case it still comes, and its reservation ends. One that the venue took and says is not open any
 * more may as well have filled: it ends only when its trades have had the time to be listed.
 */
async function giveUpIfGone(connection: Connection, orderId: string): Promise<void> {
  const change = await withTransaction((tx) => OrderChange.open(tx, orderId));
  if (!isGone(change) || isBeingListed(change)) return;
  const { venue, trader } = connection;
  const askedAt = now();
  const { outcome } = await venue.cancelOrder(trader, change.remote.venueOrderId);
  if (outcome === "unknown") return;
  if (outcome === "not_open") await lookUp(connection, change, outcome);
  await withTransaction(async (tx) => {
    const again = await OrderChange.open(tx, orderId);
    // A post that came after this cancel is not undone by it: the next look cancels again. So it
    // does when so much time went by that looks after such a post may have found nothing either.
    const wasPostedAgain = again.remote.unseenCount < change.remote.unseenCount;
    const isCancelOld = now() - askedAt >= env().ABANDON_AFTER_MS;
    if (wasPostedAgain || isCancelOld || !isGone(again)) return;
    if (outcome === "canceled") endUnseen(again, askedAt);
    else if (!answerOf(again.order)) abandon(again);
    else if (isListedBy(again, askedAt)) again.move("canceled", "canceled", { reason: "by_venue" });
    else return;
    await again.commit(tx, answerOf(again.order));
  });
}

/** Whether a look at that instant shows every trade of an order that was said to be over. */
function isListedBy({ remote: { notOpenAt } }: OrderChange, at: number): boolean {
  return notOpenAt !== null && at - notOpenAt.getTime() >= env().ABANDON_AFTER_MS;
}

/** It is over, and its trades are still waited for: there is nothing to ask meanwhile. */
function isBeingListed(change: OrderChange): boolean {
  const wasTaken = answerOf(change.order) !== null;
  return wasTaken && change.remote.notOpenAt !== null && !isListedBy(change, now());
}

/** It stood until now, unseen. */
function endUnseen(change: OrderChange, askedAt: number): void {
  if (mayHaveTraded(change) && !isListedBy(change, askedAt)) return awaitTrades(change);
  change.move("canceled", "canceled", { reason: "given_up" });
}

/** Nothing was ever seen of it. */
function abandon(change: OrderChange): void {
  if (change.order.status === "submitting") change.move("unknown", "unknown");
  change.move("abandoned", "abandoned");
}

function isGone({ order, remote }: OrderChange): boolean {
  if (!["submitting", "unknown", "open", "delayed"].includes(order.status)) return false;
  // What happened last, a post of the same bytes among it, begins the wait anew.
  const since = Math.max(order.updatedAt.getTime(), remote.postingUntil.getTime());
  return remote.unseenCount >= UNSEEN_BEFORE_ABANDONED && now() - since >= env().ABANDON_AFTER_MS;
}

/**
 * Follows the settlement of trades on the chain, and records those of orders that are over. Returns
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
  let areAllKnown = true;
  for (const { order, remote } of rows) {
    const trades = byOrder.get(remote.venueOrderId) ?? [];
    if (!(await unlessBroken(order.id, () => addTrades(order.id, trades)))) areAllKnown = false;
  }
  return areAllKnown;
}

async function addTrades(orderId: string, trades: readonly VenueTrade[]): Promise<void> {
  await withTransaction(async (tx) => {
    const change = await OrderChange.open(tx, orderId);
    if (change.order.status === "abandoned") return;
    change.addTrades(trades);
    await change.commit(tx);
  });
}

/**
 * One order that cannot be brought up to date must not keep the others from it. Returns whether it
 * was.
 */
async function unlessBroken(orderId: string, sync: () => Promise<void>): Promise<boolean> {
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

/** From the oldest order that nobody has seen yet, or from where the last comparison ended. */
function sinceOf(watched: readonly RemoteOrder[], from: Date): number {
  const unseen = watched
    .filter(({ order }) => order.status === "submitting" || order.status === "unknown")
    .map(({ remote }) => remote.createdAt.getTime());
  return Math.min(from.getTime(), ...unseen) - TRADE_OVERLAP_MS;
}

function groupByOrder(trades: readonly VenueTrade[]): Map<string, VenueTrade[]> {
  const groups = new Map<string, VenueTrade[]>();
  for (const trade of trades) {
    groups.set(trade.venueOrderId, [...(groups.get(trade.venueOrderId) ?? []), trade]);
  }
  return groups;
}
