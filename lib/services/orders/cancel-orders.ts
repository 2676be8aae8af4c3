import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectOrdersById, selectUnsettledOrders } from "@/lib/db/queries/orders";
import type { OrderStatus } from "@/lib/domain/order-status";
import { AppError, assert } from "@/lib/errors";
import type { CancelOutcomes } from "@/lib/schemas/orders";
import { isOrderId } from "@/lib/services/orders/get-order";
import type { Connection } from "@/lib/services/remote-orders/connection";
import { cancelRemoteOrder } from "@/lib/services/remote-orders/cancel-remote-order";
import { requireTrader } from "@/lib/services/remote-orders/require-trader";
import { venueOf } from "@/lib/venue";
import type { EmbeddedVenue, RemoteVenue } from "@/lib/venue/port";

type Outcomes = z.output<typeof CancelOutcomes>;

interface Wanted {
  id: string;
  marketId: string;
}

/** Cancels the caller's orders that may still trade, all or those of one market, market by market. */
export async function cancelOrders(principal: Principal, marketId?: string): Promise<Outcomes> {
  return cancelEach(principal, await selectUnsettledOrders(await getDb(), principal, marketId));
}

/** Cancels some of the caller's orders. Ids of others are passed over; ORDER_NOT_FOUND if all are. */
export async function cancelChosenOrders(
  principal: Principal,
  ids: readonly string[],
): Promise<Outcomes> {
  const known = ids.filter(isOrderId);
  const chosen = known.length === 0 ? [] : await selectOrdersById(await getDb(), principal, known);
  if (chosen.length === 0) throw new AppError("ORDER_NOT_FOUND", "there is no such order");
  return cancelEach(principal, chosen);
}

/** Cancels orders that are known to be the caller's. */
export async function cancelEach(
  principal: Principal,
  wanted: readonly Wanted[],
): Promise<Outcomes> {
  const venue = venueOf(principal.mode);
  return venue.kind === "remote"
    ? cancelEachRemote(venue, principal, wanted)
    : cancelEachEmbedded(venue, principal, wanted);
}

async function cancelEachEmbedded(
  venue: EmbeddedVenue,
  { userId, keyId }: Principal,
  wanted: readonly Wanted[],
): Promise<Outcomes> {
  const byMarket = new Map<string, string[]>();
  for (const order of wanted) {
    byMarket.set(order.marketId, [...(byMarket.get(order.marketId) ?? []), order.id]);
  }
  const markets = await venue.getMarkets([...byMarket.keys()]);
  const outcomes: Outcomes = { canceled: [], notCanceled: [] };
  for (const [id, orderIds] of byMarket) {
    const market = markets.get(id);
    assert(market, "an order's market exists");
    const results = await withTransaction((tx) =>
      venue.cancelOrders(tx, { market, orderIds, userId, keyId }),
    );
    for (const [orderId, result] of results) {
      if (result.outcome === "final")
        outcomes.notCanceled.push({ id: orderId, status: result.status });
      else outcomes.canceled.push(orderId);
    }
  }
  return outcomes;
}

/** One after the other: the venue counts each of them, and answers for each by itself. */
async function cancelEachRemote(
  venue: RemoteVenue,
  { userId, keyId }: Principal,
  wanted: readonly Wanted[],
): Promise<Outcomes> {
  const connection = { venue, trader: await requireTrader(userId) };
  const outcomes: Outcomes = { canceled: [], notCanceled: [] };
  for (const { id } of wanted) {
    const status = await statusAfterCancel(connection, id, keyId);
    if (status === "canceled") outcomes.canceled.push(id);
    else outcomes.notCanceled.push({ id, status });
  }
  return outcomes;
}

async function statusAfterCancel(
  connection: Connection,
  orderId: string,
  keyId: string | null,
): Promise<OrderStatus> {
  try {
    return (await cancelRemoteOrder(connection, orderId, keyId)).status;
  } catch (error) {
    // The wish is kept: for all that is known the order stands, until it is known to be over.
    if (error instanceof AppError && error.code === "CANCEL_OUTCOME_UNKNOWN") return "open";
    throw error;
  }
}
