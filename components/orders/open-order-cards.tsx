"use client";

import Link from "next/link";
import { formatShares } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Masked, Money, Price } from "@/components/format/values";
import { CancelButton } from "@/components/orders/cancel-button";
import { describeOpenOrder } from "@/components/orders/open-order-table";
import type { OpenOrderRows, OrderLineWire } from "@/components/orders/open-order-row";
import { ExternalBadge, OrderStatusBadge } from "@/components/orders/order-status";
import { MarketName, OrderOptions, SideLabel } from "@/components/orders/order-words";
import { Badge } from "@/components/ui/badge";
import { CardList } from "@/components/ui/table";

/** Open orders as cards, on a phone. */
export function OpenOrderCards({ orders, canceling }: OpenOrderRows) {
  return (
    <CardList label="Open orders">
      {orders.map((order) => (
        <li key={order.id} className="flex items-center gap-3 px-3 py-3">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <MarketName title={order.marketTitle} slug={order.marketSlug} iconUrl={order.iconUrl} />
            <Summary order={order} />
            <OrderOptions order={order} />
            <Progress
              order={order}
              isCanceling={canceling.ids.has(order.id)}
              problem={canceling.problems.get(order.id) ?? null}
            />
          </div>
          {order.isLive && (
            <CancelButton
              orderId={order.id}
              of={describeOpenOrder(order)}
              isCanceling={canceling.ids.has(order.id)}
              size="normal"
            />
          )}
        </li>
      ))}
    </CardList>
  );
}

/** Buy Yes · 100 @ 60¢ · $60.00 */
function Summary({ order }: { order: OrderLineWire }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <SideLabel action={order.action} outcome={order.outcome} />
      <span aria-hidden="true">·</span>
      <span className="num">
        {order.shares !== null && <Masked>{formatShares(order.shares)}</Masked>} @{" "}
        {order.price === null ? "market" : <Price price={order.price} tickSize={order.tickSize} />}
      </span>
      <span aria-hidden="true">·</span>
      <Money usdc={order.total} isPaid={order.action === "BUY"} />
    </p>
  );
}

interface ProgressProps {
  order: OrderLineWire;
  isCanceling: boolean;
  problem: string | null;
}

function Progress({ order, isCanceling, problem }: ProgressProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-text-2">
      {isCanceling && <Badge tone="warn">Canceling…</Badge>}
      {order.status !== "open" && <OrderStatusBadge status={order.status} />}
      {order.origin === "external" && <ExternalBadge />}
      {order.filledShares > 0 && (
        <span className="num">
          <Masked>
            {formatShares(order.filledShares)} / {formatShares(order.shares)}
          </Masked>{" "}
          filled
        </span>
      )}
      <Link
        href={`/orders/${order.id}`}
        prefetch={false}
        className="link inline-flex min-h-6 items-center"
      >
        <TimeStamp at={order.createdAt} />
      </Link>
      {problem !== null && (
        <p role="alert" className="w-full text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
