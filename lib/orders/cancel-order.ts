import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { getDb } from "@/lib/db/client";
import type { OrderRow } from "@/lib/db/rows";
import type { OrderStatus } from "@/lib/domain/order-status";
import { AppError, assert } from "@/lib/errors";
import type { OrderRecord, CancelOutcomes } from "@/lib/schemas/orders";
import { requireCancel } from "@/lib/accounts/require-action";
import { createOrderNotFound, getOrder, isOrderId, requireOrder } from "@/lib/orders/get-order";
import { cancelRemoteOrder, cancelRemoteOrders } from "@/lib/orders/live/cancel-remote-orders";
import { endWaitingOrders } from "@/lib/orders/live/waiting-orders";
import { getVenue } from "@/lib/venues";
import type { EmbeddedVenue, RemoteVenue, CancelRequest } from "@/lib/venue/port";
import { selectMarketIds } from "@/lib/db/queries/market-row";
import { selectRemoteOrder, type SentOrder } from "@/lib/db/queries/remote-orders";
import type { CancelScope } from "@/lib/db/queries/remote-cancels";
import { selectOrdersById, selectUnsettledOrders } from "@/lib/db/queries/orders";

/**
 * Cancels an order and returns its record with its fills. Repeating the call returns the same record.
 *
 * @throws ORDER_NOT_CANCELABLE if the order ended in another way.
 */
export async function cancelOrder(
  principal: Principal,
  orderId: string,
): Promise<z.output<typeof OrderRecord>> {
  await requireCancel(principal);
  const sent = await findSentOrder(principal, orderId);
  const order = sent?.order ?? (await requireOrder(await getDb(), principal, orderId));
  const venue = getVenue(principal.mode);
  if (venue.kind === "remote") await cancelRemote(venue, principal, { order, sent });
  else await cancelEmbedded(venue, principal, order);
  return getOrder(principal, orderId);
}

/** Finds an order of the caller that was or will be sent to the venue; null for any other order. */
async function findSentOrder(
  { mode, userId }: Principal,
  orderId: string,
): Promise<SentOrder | null> {
  if (mode === "paper" || !isOrderId(orderId)) return null;
  const found = await selectRemoteOrder(await getDb(), orderId);
  return found?.order.userId === userId ? found : null;
}

async function cancelEmbedded(
  venue: EmbeddedVenue,
  { userId, keyId, requestId }: Principal,
  order: OrderRow,
): Promise<void> {
  const results = await venue.cancelOrders({ orders: [order], userId, keyId, requestId });
  const result = results.get(order.id);
  assert(result, "the venue returns a result for every order to cancel");
  if (result.outcome === "final") throw notCancelable(result.status);
}

async function cancelRemote(
  venue: RemoteVenue,
  principal: Principal,
  { order: { id, status: former }, sent }: { order: OrderRow; sent: SentOrder | null },
): Promise<void> {
  if (former === "pending_approval") {
    const request = { ...principal, at: new Date(now()) };
    await endWaitingOrders(request, { orderIds: [id] }, "requested");
  }
  const { status } = await cancelRemoteOrder(venue, principal, id, sent);
  if (status !== "canceled") throw notCancelable(status);
}

function notCancelable(status: OrderStatus): AppError {
  return new AppError("ORDER_NOT_CANCELABLE", `The order is ${status} and cannot be canceled.`);
}

type Outcomes = z.output<typeof CancelOutcomes>;

/** Cancels the caller's unsettled orders, in all markets or in one. */
export async function cancelOrders(principal: Principal, marketId?: string): Promise<Outcomes> {
  await requireCancel(principal);
  const venue = getVenue(principal.mode);
  if (venue.kind === "remote") return cancelLive(venue, principal, { marketId });
  return cancelEach(principal, await selectUnsettledOrders(await getDb(), principal, marketId));
}

/**
 * Cancels the caller's orders in the market with this id or slug. Every market with an order is
 * recorded, so an unknown market has no open orders and needs no query of the venue.
 */
export async function cancelOrdersInMarket(
  principal: Principal,
  idOrSlug: string,
): Promise<Outcomes> {
  const outcomes: Outcomes = { canceled: [], notCanceled: [] };
  for (const id of await selectMarketIds(await getDb(), idOrSlug)) {
    const { canceled, notCanceled } = await cancelOrders(principal, id);
    outcomes.canceled.push(...canceled);
    outcomes.notCanceled.push(...notCanceled);
  }
  return outcomes;
}

/** Cancels orders by id. Skips unknown ids and other users' orders; throws if nothing is left. */
export async function cancelChosenOrders(
  principal: Principal,
  ids: readonly string[],
): Promise<Outcomes> {
  const known = ids.filter(isOrderId);
  const chosen = known.length === 0 ? [] : await selectOrdersById(await getDb(), principal, known);
  if (chosen.length === 0) throw createOrderNotFound();
  return cancelEach(principal, chosen);
}

/** Cancels orders of the caller. The caller of this function has checked the ownership. */
export async function cancelEach(
  principal: Principal,
  wanted: CancelRequest["orders"],
  reason?: CancelRequest["reason"],
): Promise<Outcomes> {
  const venue = getVenue(principal.mode);
  return venue.kind === "remote"
    ? cancelLive(venue, principal, { orderIds: wanted.map(({ id }) => id) }, reason)
    : cancelEachEmbedded(venue, principal, { orders: wanted, reason });
}

async function cancelEachEmbedded(
  venue: EmbeddedVenue,
  { userId, keyId, requestId }: Principal,
  wanted: Pick<CancelRequest, "orders" | "reason">,
): Promise<Outcomes> {
  const outcomes: Outcomes = { canceled: [], notCanceled: [] };
  const request = { ...wanted, userId, keyId, requestId };
  for (const [id, result] of await venue.cancelOrders(request)) {
    if (result.outcome === "final") outcomes.notCanceled.push({ id, status: result.status });
    else outcomes.canceled.push(id);
  }
  return outcomes;
}

async function cancelLive(
  venue: RemoteVenue,
  principal: Principal,
  scope: CancelScope,
  reason?: CancelRequest["reason"],
): Promise<Outcomes> {
  const outcomes: Outcomes = { canceled: [], notCanceled: [] };
  for (const { id, status } of await cancelRemoteOrders(venue, principal, scope, reason)) {
    if (status === "canceled") outcomes.canceled.push(id);
    else outcomes.notCanceled.push({ id, status });
  }
  return outcomes;
}
