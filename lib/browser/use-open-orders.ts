"use client";

import { useMemo } from "react";
import type { z } from "zod";
import { type Initial, type Live, useLive } from "@/lib/browser/use-live";
import type { OpenOrdersView } from "@/lib/schemas/dashboard-orders";

/** The answer of the server, whose rows name their market by its id. */
export type OpenOrdersAnswer = z.input<typeof OpenOrdersView>;
type Market = OpenOrdersAnswer["markets"][number];

/** A row of the list of open orders. */
export type OpenOrderWire = OpenOrdersAnswer["orders"][number] &
  Pick<Market, "iconUrl" | "tickSize"> & { marketTitle: string; marketSlug: string };

export type OpenOrdersWire = Omit<OpenOrdersAnswer, "orders"> & { orders: OpenOrderWire[] };

/** Returns the URL of the open orders. `query` has the filters of the orders page. */
export function buildOpenOrdersUrl(query = ""): string {
  return `/api/ui/open-orders${query === "" ? "" : `?${query}`}`;
}

/** Returns the open orders and refreshes them every few seconds. */
export function useOpenOrders(
  url: string,
  initial: Initial<OpenOrdersAnswer>,
  pace: "live" | "slow" | "paused",
): Live<OpenOrdersWire> {
  const live = useLive("openOrders", url, initial, pace);
  const data = useMemo(() => addMarkets(live.data), [live.data]);
  return { ...live, data };
}

function addMarkets({ orders, ...view }: OpenOrdersAnswer): OpenOrdersWire {
  const markets = new Map(view.markets.map((market) => [market.id, market]));
  return {
    ...view,
    orders: orders.flatMap((order) => {
      // The answer has the market of each row.
      const market = markets.get(order.marketId);
      if (!market) return [];
      const { title: marketTitle, slug: marketSlug, iconUrl, tickSize } = market;
      return [{ ...order, marketTitle, marketSlug, iconUrl, tickSize }];
    }),
  };
}
