import "server-only";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb, withStatement } from "@/lib/db/client";
import { selectOrdersById, selectOrder } from "@/lib/db/queries/orders";
import {
  type CancelScope,
  requestCancels,
  selectRemoteOrders,
  selectTradesUntil,
} from "@/lib/db/queries/remote-cancels";
import {
  type RemoteOrder,
  selectRemoteOrder,
  type SentOrder,
} from "@/lib/db/queries/remote-orders";
import { isClosed, type OrderStatus } from "@/lib/domain/order-status";
import { env } from "@/lib/env";
import { AppError, assert } from "@/lib/errors";
import { errorFields, log } from "@/lib/log";
import {
  type Connection,
  queryOrder,
  recordOrderReport,
  subtractClockMargin,
  type OrderQuery,
} from "@/lib/orders/live/apply-report";
import { endWaitingOrders } from "@/lib/orders/live/waiting-orders";
import { requireTrader, startOpening } from "@/lib/accounts/require-trader";
import type { CancelRequest, RemoteCancel, RemoteVenue } from "@/lib/venue/port";
import type { OrderRow } from "@/lib/db/rows";

/** A bulk cancel responds after this time, whether or not the venue has confirmed it. */
const BUDGET_MS = 5_000;
/** Timeout of one request to the venue. */
const CALL_TIMEOUT_MS = 2_000;
/** Number of orders that are recorded concurrently. */
const AT_ONCE = 8;

type CancelActor = Pick<Principal, "userId" | "keyId" | "requestId">;

/** Orders of the caller with their status at the end of the budget. */
type Canceled = { id: string; status: OrderStatus }[];

/**
 * Cancels many orders: the kill switch. One statement records every cancel request first, so the
 * reconciler of any process can finish the work. The response comes within the budget.
 *
 * Without `orderIds`, the venue cancels everything in the scope, including orders that other programs
 * placed with the same wallet.
 *
 * @param reason why, in the history of orders that wait for approval.
 * @throws CANCEL_OUTCOME_UNKNOWN if the venue did not confirm in time and no recorded order can show
 *   the outcome.
 */
export async function cancelRemoteOrders(
  venue: RemoteVenue,
  { userId, keyId, requestId }: CancelActor,
  scope: CancelScope,
  reason: NonNullable<CancelRequest["reason"]> = "requested",
): Promise<Canceled> {
  const request = { userId, keyId, requestId, at: new Date(now()) };
  const withdrawn = await endWaitingOrders(request, scope, reason);
  const ids = await withStatement((db) => requestCancels(db, request, scope));
  const work = cancelAtVenue(venue, userId, { scope, ids });
  const isDone = await withinBudget(work);
  if (!isDone && ids.length === 0 && scope.orderIds === undefined) {
    throw new AppError(
      "CANCEL_OUTCOME_UNKNOWN",
      "No order of this account is open, but the venue has not confirmed the cancel of other programs' orders. Repeat the request.",
    );
  }
  const shown = [...new Set([...withdrawn, ...ids, ...(scope.orderIds ?? [])])];
  if (shown.length === 0) return [];
  const rows = await selectOrdersById(await getDb(), { userId, mode: "live" }, shown);
  return rows.map(({ id, status }) => ({ id, status }));
}

/** Returns whether the work finished in time. Work that continues is still recorded. */
async function withinBudget(work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), BUDGET_MS);
  });
  const outcome = work.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "WALLET_NOT_FOUND") throw error;
    log.warn("orders not canceled yet", errorFields(error));
    return false;
  });
  try {
    return await Promise.race([outcome, isOver]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether the venue confirmed the cancel of the whole scope. */
async function cancelAtVenue(
  venue: RemoteVenue,
  userId: string,
  { scope, ids }: { scope: CancelScope; ids: readonly string[] },
): Promise<boolean> {
  const connection = { venue, trader: await requireTrader(userId) };
  const sent = ids.length === 0 ? [] : await selectRemoteOrders(await getDb(), ids);
  const isWhole = scope.orderIds === undefined;
  const everything = isWhole
    ? await venue.cancelAll(connection.trader, scope.marketId ?? null, computeCallTimeout())
    : null;
  const rest = sent.filter(({ remote }) => !everything?.has(remote.venueOrderId));
  const outcomes = await sendCancels(connection, rest);
  for (const id of everything ?? []) outcomes.set(id, "canceled");
  await recordCancels(connection, sent, outcomes);
  return everything !== null;
}

const computeCallTimeout = () => Math.min(CALL_TIMEOUT_MS, env().SUBMIT_ATTEMPT_TIMEOUT_MS);

type CancelOutcomes = Map<string, RemoteCancel["outcome"]>;

async function sendCancels(
  { venue, trader }: Connection,
  sent: readonly RemoteOrder[],
): Promise<CancelOutcomes> {
  if (sent.length === 0) return new Map();
  const ids = sent.map(({ remote }) => remote.venueOrderId);
  return new Map(await venue.cancelOrders(trader, ids, computeCallTimeout()));
}

/** Sends one cancel for several orders and records the outcome of each. */
export async function cancelBatch(
  connection: Connection,
  sent: readonly RemoteOrder[],
): Promise<void> {
  await recordCancels(connection, sent, await sendCancels(connection, sent));
}

/**
 * Records the outcomes of cancels. One list of trades covers the canceled orders that have not
 * traded. Every other order is queried.
 */
async function recordCancels(
  connection: Connection,
  sent: readonly RemoteOrder[],
  outcomes: CancelOutcomes,
): Promise<void> {
  const { venue, trader } = connection;
  const isCanceled = ({ remote }: RemoteOrder) => outcomes.get(remote.venueOrderId) === "canceled";
  const since = await findTradesFrom(trader.userId, sent.filter(isCanceled));
  const trades = since === null ? [] : await venue.listTrades(trader, since);
  const traded = new Set(trades.map(({ venueOrderId }) => venueOrderId));
  await recordEach(sent, async (row) => {
    const { order, remote } = row;
    const outcome = outcomes.get(remote.venueOrderId) ?? "unknown";
    const hasTraded = traded.has(remote.venueOrderId) || order.filledShares > 0n;
    if (outcome === "canceled" && !hasTraded) {
      const report = { order: null, trades: [], cancel: outcome };
      await recordOrderReport({ orderId: order.id, known: null }, report);
    } else await queryOrder(connection, { remote }, outcome);
  });
}

/** Returns a time before which all trades of these orders are recorded; null for no orders. */
async function findTradesFrom(
  userId: string,
  sent: readonly RemoteOrder[],
): Promise<number | null> {
  if (sent.length === 0) return null;
  const first = Math.min(...sent.map(({ remote }) => remote.createdAt.getTime()));
  const known = await selectTradesUntil(await getDb(), userId);
  return subtractClockMargin(new Date(Math.max(first, known?.getTime() ?? 0)));
}

/** Records each open order. A failure skips that order only; the reconciler repeats it. */
async function recordEach(
  rows: readonly RemoteOrder[],
  record: (row: RemoteOrder) => Promise<unknown>,
): Promise<void> {
  const waiting = rows.filter(({ order }) => !isClosed(order.status));
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        await record(row);
      } catch (error) {
        log.warn("cancel not recorded", { orderId: row.order.id, ...errorFields(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * Cancels an order at the venue and returns the updated order. The cancel request is recorded before
 * it is sent. The reconciler repeats it until the venue has reported the final state of the order.
 *
 * @param read the order, if it was read just before.
 * @throws CANCEL_OUTCOME_UNKNOWN while the final state is unknown.
 */
export async function cancelRemoteOrder(
  venue: RemoteVenue,
  { userId, keyId, requestId }: CancelActor,
  orderId: string,
  read: SentOrder | null = null,
): Promise<OrderRow> {
  // The wallet is opened while the request is recorded.
  const opening = startOpening(userId);
  const request = { userId, keyId, requestId, at: new Date(now()) };
  const [requested] = await withStatement((db) =>
    requestCancels(db, request, { orderIds: [orderId] }),
  );
  const isCurrent = read !== null && requested === orderId && !isClosed(read.order.status);
  const sent = isCurrent
    ? withRequest(read, request)
    : await selectRemoteOrder(await getDb(), orderId);
  // An order that was never sent does not exist at the venue: a rejected one, or one without approval.
  if (sent === null) return getUnsentOrder(userId, orderId);
  assert(sent.order.userId === userId, "an order is canceled by the user who placed it");
  if (isClosed(sent.order.status)) return sent.order;
  const found = await sendCancel({ venue, trader: await requireTrader(userId, opening) }, sent);
  if (found && isFinal(found)) return found;
  throw new AppError(
    "CANCEL_OUTCOME_UNKNOWN",
    "The venue has not confirmed the cancel yet. Ante repeats it until the venue does.",
  );
}

/**
 * Adds a recorded cancel request to an order that was read before it. If the order has changed since,
 * the next change finds that it is not the stored one, and reads it again.
 */
function withRequest(
  { order, remote: former, known }: SentOrder,
  { at, keyId }: { at: Date; keyId: string | null },
): SentOrder {
  const remote =
    former.cancelRequestedAt === null
      ? { ...former, cancelRequestedAt: at, cancelKeyId: keyId }
      : former;
  return { order, remote, known: known && { order, remote } };
}

/**
 * Cancels the open remainder of an order that must not rest, or whose cancel was requested while it
 * was being posted. Returns the updated order.
 */
export async function cancelRemainder(connection: Connection, order: OrderRow): Promise<OrderRow> {
  if (order.status !== "open") return order;
  const sent = await selectRemoteOrder(await getDb(), order.id);
  if (!sent || sent.remote.cancelRequestedAt === null) return order;
  return (await sendCancel(connection, sent)) ?? order;
}

/** Sends the cancel once. Returns null if the order's new state could not be queried. */
async function sendCancel(
  { venue, trader }: Connection,
  query: OrderQuery,
): Promise<OrderRow | null> {
  const { orderId, venueOrderId } = query.remote;
  const { outcome } = await venue.cancelOrder(trader, venueOrderId);
  try {
    return await queryOrder({ venue, trader }, query, outcome);
  } catch (error) {
    log.warn("order query after cancel failed", { orderId, ...errorFields(error) });
    return null;
  }
}

async function getUnsentOrder(userId: string, orderId: string): Promise<OrderRow> {
  const order = await selectOrder(await getDb(), { userId, mode: "live" }, orderId);
  assert(order, "an order is canceled by the user who placed it");
  return order;
}

function isFinal({ status }: OrderRow): boolean {
  return status === "canceled" || status === "filled" || status === "expired";
}
