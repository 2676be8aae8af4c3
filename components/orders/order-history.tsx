import Link from "next/link";
import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price, Shares } from "@/components/format/values";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { MarketName, OrderOptions, SideLabel } from "@/components/orders/order-words";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { OrderLine } from "@/lib/schemas/dashboard-orders";

type Order = z.input<typeof OrderLine>;

/** The order history as a table, and as cards on a phone. */
export function OrderHistory({ orders }: { orders: readonly Order[] }) {
  return (
    <>
      <Table caption="Closed orders" head={<Head />} hasCards>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </Table>
      <CardList label="Closed orders">
        {orders.map((order) => (
          <OrderCard key={order.id} order={order} />
        ))}
      </CardList>
    </>
  );
}

function Head() {
  return (
    <tr>
      <HeadCell>Closed</HeadCell>
      <HeadCell>Market</HeadCell>
      <HeadCell>Side</HeadCell>
      <HeadCell>Type</HeadCell>
      <HeadCell isNumeric>Limit</HeadCell>
      <HeadCell isNumeric>Avg fill</HeadCell>
      <HeadCell isNumeric>Filled</HeadCell>
      <HeadCell isNumeric>Value</HeadCell>
      <HeadCell isNumeric>Fee</HeadCell>
      <HeadCell>Status</HeadCell>
    </tr>
  );
}

function OrderRow({ order }: { order: Order }) {
  return (
    <Row>
      <Cell>
        <ClosedAt order={order} />
      </Cell>
      <Cell>
        <div className="min-w-48">
          <MarketName title={order.marketTitle} slug={order.marketSlug} iconUrl={order.iconUrl} />
        </div>
      </Cell>
      <Cell>
        <SideLabel action={order.action} outcome={order.outcome} />
      </Cell>
      <Cell>
        {order.type === "limit" ? "Limit" : "Market"}
        <OrderOptions order={order} />
      </Cell>
      <Cell isNumeric>
        <Price price={order.price} tickSize={order.tickSize} />
      </Cell>
      <Cell isNumeric>
        <Price price={order.avgFillPrice} tickSize={order.tickSize} isAverage />
      </Cell>
      <Cell isNumeric>
        <Shares shares={order.filledShares} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={order.value} isPaid={order.action === "BUY"} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={order.fee} isPaid />
      </Cell>
      <Cell>
        <OrderStatusBadge {...order} />
      </Cell>
    </Row>
  );
}

function OrderCard({ order }: { order: Order }) {
  return (
    <li className="flex flex-col gap-1 px-3 py-3">
      <MarketName title={order.marketTitle} slug={order.marketSlug} iconUrl={order.iconUrl} />
      <div className="flex items-center justify-between gap-3">
        <SideLabel action={order.action} outcome={order.outcome} />
        <Money usdc={order.value} isPaid={order.action === "BUY"} />
      </div>
      <div className="flex items-center justify-between gap-3 text-small text-text-2">
        {order.filledShares === 0 ? (
          <span>Nothing filled</span>
        ) : (
          <span className="num">
            <Shares shares={order.filledShares} /> @{" "}
            <Price price={order.avgFillPrice} tickSize={order.tickSize} isAverage />
          </span>
        )}
        <OrderStatusBadge {...order} />
      </div>
      <OrderOptions order={order} />
      <ClosedAt order={order} />
    </li>
  );
}

/** The time of the order's end, as a link to the order. */
function ClosedAt({ order }: { order: Order }) {
  return (
    <Link
      href={`/orders/${order.id}`}
      prefetch={false}
      className="link inline-flex min-h-6 items-center"
    >
      <TimeStamp at={order.updatedAt} />
    </Link>
  );
}
