import "server-only";
import type { z } from "zod";
import type { Principal } from "@/lib/auth/principal";
import { getDb, withTransaction } from "@/lib/db/client";
import { selectLiveOrders } from "@/lib/db/queries/orders";
import { assert } from "@/lib/errors";
import type { CancelOutcomes } from "@/lib/schemas/orders";
import { venueOf } from "@/lib/venue";

/** Cancels the caller's live orders, all or those of one market, market by market. */
export async function cancelOrders(
  principal: Principal,
  marketId?: string,
): Promise<z.output<typeof CancelOutcomes>> {
  const { userId, keyId, mode } = principal;
  const venue = venueOf(mode);
  const byMarket = new Map<string, string[]>();
  for (const order of await selectLiveOrders(await getDb(), userId, marketId)) {
    byMarket.set(order.marketId, [...(byMarket.get(order.marketId) ?? []), order.id]);
  }
  const markets = await venue.getMarkets([...byMarket.keys()]);
  const outcomes: z.output<typeof CancelOutcomes> = { canceled: [], notCanceled: [] };
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
