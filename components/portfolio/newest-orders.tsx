"use client";

import Link from "next/link";
import { formatPrice } from "@/components/format/numbers";
import { usePreferences } from "@/components/format/preferences";
import { TimeStamp } from "@/components/format/time-stamp";
import { Shares } from "@/components/format/values";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import type { Initial } from "@/lib/browser/use-live";
import {
  buildOpenOrdersUrl,
  type OpenOrdersWire,
  useOpenOrders,
} from "@/lib/browser/use-open-orders";

const SHOWN = 5;

/** The newest open orders, beside the chart. */
export function NewestOrders({ initial }: { initial: Initial<OpenOrdersWire> }) {
  const { liveUpdates } = usePreferences();
  const { data } = useOpenOrders(buildOpenOrdersUrl(), initial, liveUpdates);
  return (
    <Card title="Open orders" isFlush>
      {data.orders.length === 0 ? (
        <EmptyState>No open orders. Limit orders wait here until they fill.</EmptyState>
      ) : (
        <ul className="divide-y divide-border border-t border-border">
          {data.orders.slice(0, SHOWN).map((order) => (
            <li key={order.id} className="px-4 py-2">
              <Link
                href={`/orders/${order.id}`}
                prefetch={false}
                className="block truncate font-[550] hover:underline"
              >
                {order.marketTitle}
              </Link>
              <span className="flex items-baseline justify-between gap-2 text-small text-text-2">
                <span className="truncate">
                  <span className={order.action === "BUY" ? "text-up" : "text-down"}>
                    {order.action === "BUY" ? "Buy" : "Sell"} {order.outcome}
                  </span>{" "}
                  <Shares shares={order.shares} />
                  {order.price !== null && <> @ {formatLimit(order.price)}</>}
                </span>
                <TimeStamp at={order.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data.orders.length > 0 && (
        <p className="border-t border-border px-4 py-2">
          <Link href="/orders" prefetch={false} className="link inline-flex min-h-6 items-center">
            All open orders ({data.orders.length})
          </Link>
        </p>
      )}
    </Card>
  );
}

/** A limit is on its market's grid, so its own decimals can serve as tick size. */
const formatLimit = (price: number) => formatPrice(price, String(price));
