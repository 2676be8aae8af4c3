"use client";

import { formatPrice, formatShares } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Masked, Money, Price } from "@/components/format/values";
import { CancelButton } from "@/components/orders/cancel-button";
import { DetailsLink } from "@/components/orders/details-link";
import { Distance } from "@/components/orders/distance";
import { EditInRow } from "@/components/orders/edit-in-row";
import { EditLink } from "@/components/orders/edit-link";
import {
  describeOpenOrder,
  type OpenOrderRows,
  type OpenOrderWire,
} from "@/components/orders/open-order-row";
import { ExternalBadge, OrderStatusBadge } from "@/components/orders/order-status";
import { OrderOptions, SideLabel } from "@/components/orders/order-words";
import { Badge } from "@/components/ui/badge";
import { CardList } from "@/components/ui/table";

/** Open orders as cards, on a phone. */
export function OpenOrderCards({ orders, canceling, editing, showDetails }: OpenOrderRows) {
  return (
    <CardList label="Open orders">
      {orders.map((order) => (
        <li key={order.id} className="flex flex-col gap-2 px-3 py-3">
          <DetailsLink
            orderId={order.id}
            title={order.marketTitle}
            iconUrl={order.iconUrl}
            show={showDetails}
          />
          <Summary order={order} />
          <OrderOptions order={order} />
          <div className="flex items-center justify-between gap-3">
            <Progress
              order={order}
              isCanceling={canceling.ids.has(order.id)}
              problem={canceling.problems.get(order.id) ?? null}
            />
            <span className="flex shrink-0 gap-2">
              <EditLink
                order={order}
                of={describeOpenOrder(order)}
                editing={editing}
                size="normal"
              />
              {order.isLive && (
                <CancelButton
                  orderId={order.id}
                  of={describeOpenOrder(order)}
                  isCanceling={canceling.ids.has(order.id)}
                  size="normal"
                />
              )}
            </span>
          </div>
          {editing.id === order.id && (
            <EditInRow
              order={order}
              action={editing.action}
              onEdited={(edited) => editing.finish(order, edited)}
              onLeave={editing.leave}
            />
          )}
        </li>
      ))}
    </CardList>
  );
}

/** Buy Yes · 100 @ 60¢ · $60.00 */
function Summary({ order }: { order: OpenOrderWire }) {
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
  order: OpenOrderWire;
  isCanceling: boolean;
  problem: string | null;
}

function Progress({ order, isCanceling, problem }: ProgressProps) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-small text-text-2">
      {isCanceling && <Badge tone="warn">Canceling…</Badge>}
      {order.status !== "open" && <OrderStatusBadge status={order.status} />}
      {order.origin === "external" && <ExternalBadge />}
      {order.marketPrice !== null && order.price !== null && (
        <span className="num inline-flex flex-wrap items-center gap-x-2">
          Now {formatPrice(order.marketPrice, order.tickSize)}
          <Distance limit={order.price} now={order.marketPrice} tickSize={order.tickSize} />
        </span>
      )}
      {order.filledShares > 0 && (
        <span className="num">
          <Masked>
            {formatShares(order.filledShares)} / {formatShares(order.shares)}
          </Masked>{" "}
          filled
        </span>
      )}
      <TimeStamp at={order.createdAt} />
      {problem !== null && (
        <p role="alert" className="w-full text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
