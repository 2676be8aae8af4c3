import "server-only";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { getDb } from "@/lib/db/client";
import { type OpenOrderRow, selectOrdersById } from "@/lib/db/queries/open-orders";
import { toYesOrNo } from "@/lib/domain/settlement";
import { assert } from "@/lib/errors";
import { buildIconUrl } from "@/lib/public-url";
import { encodeItem } from "@/lib/schemas/envelope";
import { OpenOrder } from "@/lib/schemas/orders";
import { NO_SHARES } from "@/lib/units";

/** An open order as the interface shows it, and its JSON in UTF-8. */
export interface OpenOrderView {
  view: z.output<typeof OpenOrder>;
  json: Uint8Array;
}

/** About 15 MB: a hundred full pages. */
const MAX_VIEWS = 10_000;
/** The names of a market seldom change; the response cache keeps them as long. */
const MAX_AGE_MS = 60_000;

/**
 * Views by order id. What a view shows of its order never changes while the order is open, so a list of
 * 100 orders of which one is new encodes one. Reading, joining and encoding all 100 took 1.3 ms of the
 * service's and 0.8 ms of the database's CPU time. The JSON is kept in bytes, because the hash, the cache and
 * the socket need them: joining 100 texts and encoding them for each of the three took 0.31 ms, joining bytes
 * takes 0.04 ms.
 */
const views = new LRUCache<string, OpenOrderView>({ max: MAX_VIEWS, ttl: MAX_AGE_MS });

/** Returns the views of orders that are open, in the order of their ids. */
export async function findOpenOrderViews(ids: readonly string[]): Promise<OpenOrderView[]> {
  const known = ids.map((id) => views.get(id));
  const missing = ids.filter((_, index) => known[index] === undefined);
  const read = missing.length === 0 ? [] : await selectOrdersById(await getDb(), missing);
  const added = new Map(read.map((row) => [row.id, createView(row)]));
  return ids.map((id, index) => {
    const view = known[index] ?? added.get(id);
    assert(view, "an open order exists and has a market");
    return view;
  });
}

function createView(row: OpenOrderRow): OpenOrderView {
  const view = toOpenOrder(row);
  const created = { view, json: encodeItem(OpenOrder, view) };
  views.set(row.id, created);
  return created;
}

function toOpenOrder(order: OpenOrderRow): z.output<typeof OpenOrder> {
  return {
    id: order.id,
    marketId: order.marketId,
    assetId: order.tokenId,
    marketTitle: order.title,
    marketSlug: order.slug,
    marketRoute: `/markets/${order.slug}`,
    iconUrl: buildIconUrl(order.icon),
    action: order.action,
    side: toYesOrNo(order.outcome),
    type: order.type,
    price: order.price,
    shares: order.shares ?? NO_SHARES,
    createdAt: order.createdAt,
    status: "open",
  };
}
