"use client";

import { formatOrderPrice, formatShares } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Masked, Money, Price } from "@/components/format/values";
import { CancelButton } from "@/components/orders/cancel-button";
import { DetailsLink } from "@/components/orders/details-link";
import { Distance } from "@/components/orders/distance";
import { EditInRow } from "@/components/orders/edit-in-row";
import { EditLink } from "@/components/orders/edit-link";
import { CancelGroup, GroupTitle } from "@/components/orders/group-heading";
import { describeOpenOrder, type OpenOrderRows } from "@/components/orders/open-order-row";
import { ExternalBadge, OrderStatusBadge } from "@/components/orders/order-status";
import { formatWorstPrice, OrderOptions, SideLabel } from "@/components/orders/order-words";
import { Badge } from "@/components/ui/badge";
import { CardList } from "@/components/ui/table";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";

/** Open orders as cards, on a phone. */
export function OpenOrderCards(rows: OpenOrderRows) {
  const { orders, groups, askToCancel } = rows;
  if (!groups) {
    return (
      <CardList label="Open orders">
        {orders.map((order) => (
          <OrderCard key={order.id} order={order} isInGroup={false} rows={rows} />
        ))}
      </CardList>
    );
  }
  return groups.map((group) => (
    <section key={group.marketId} aria-label={group.title} className="md:hidden">
      <div className="flex items-center justify-between gap-3 border-y border-border bg-surface-2 px-3 py-2">
        <h3 className="min-w-0">
          <GroupTitle group={group} />
        </h3>
        <CancelGroup group={group} onAsk={askToCancel} size="normal" />
      </div>
      <CardList label={`Open orders in ${group.title}`}>
        {group.orders.map((order) => (
          <OrderCard key={order.id} order={order} isInGroup rows={rows} />
        ))}
      </CardList>
    </section>
  ));
}

interface CardProps {
  order: OpenOrderWire;
  /** Whether the market's heading is above it. */
  isInGroup: boolean;
  rows: OpenOrderRows;
}

function OrderCard({ order, isInGroup, rows }: CardProps) {
  const { canceling, editing, showDetails } = rows;
  const name = describeOpenOrder(order);
  const isCanceling = canceling.ids.has(order.id);
  const summary = <Summary order={order} />;
  return (
    <li className="flex flex-col gap-2 px-3 py-3">
      <DetailsLink
        orderId={order.id}
        title={order.marketTitle}
        show={showDetails}
        {...(isInGroup ? { children: summary } : { iconUrl: order.iconUrl })}
      />
      {!isInGroup && summary}
      <OrderOptions order={order} />
      <div className="flex items-center justify-between gap-3">
        <Progress
          order={order}
          isCanceling={isCanceling}
          problem={canceling.problems.get(order.id) ?? null}
        />
        <span className="flex shrink-0 gap-2">
          <EditLink order={order} of={name} editing={editing} size="normal" />
          {order.isLive && (
            <CancelButton orderId={order.id} of={name} isCanceling={isCanceling} size="normal" />
          )}
        </span>
      </div>
      {editing.id === order.id && (
        <EditInRow
          order={order}
          hasLeft={editing.hasLeft}
          action={editing.action}
          onEdited={(edited) => editing.finish(order, edited)}
          onLeave={editing.leave}
        />
      )}
    </li>
  );
}

/**
 * Buy Yes · 100 @ 60¢ · $60.00, or $24.00 open after a part has filled.
 * Buy Yes · Market · $20.00 at 74¢ or better
 */
function Summary({ order }: { order: OpenOrderWire }) {
  const dot = <span aria-hidden="true">·</span>;
  const size =
    order.shares === null ? (
      <Money usdc={order.amount} />
    ) : (
      <Masked>{formatShares(order.shares)}</Masked>
    );
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <SideLabel action={order.action} outcome={order.outcome} />
      {dot}
      {order.type === "market" && <>Market {dot}</>}
      <span className="num">
        {size}{" "}
        {order.type === "market" ? (
          formatWorstPrice(order)
        ) : (
          <>
            @ <Price price={order.price} tickSize={order.tickSize} />
          </>
        )}
      </span>
      {order.type === "limit" && (
        <>
          {dot}
          <span>
            <Money usdc={order.openValue} />
            {order.filledShares > 0 && " open"}
          </span>
        </>
      )}
    </span>
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
      {order.marketPrice !== null && (
        <span className="num inline-flex flex-wrap items-center gap-x-2">
          {`${order.action === "BUY" ? "Best offer" : "Best bid"} ${formatOrderPrice(order.marketPrice, order.tickSize)}`}
          <Distance order={order} isNamed />
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
      <TimeStamp at={order.createdAt} isRelative="always" />
      {problem !== null && (
        <p role="alert" className="w-full text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}
