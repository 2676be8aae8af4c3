"use client";

import type { z } from "zod";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Price } from "@/components/format/values";
import { DetailsLink, followRow } from "@/components/orders/details-link";
import { FilledOfOrdered, OrderOptions, SideLabel } from "@/components/orders/order-words";
import { Rejection } from "@/components/orders/rejection";
import { LineStatus } from "@/components/orders/replaced";
import { useOrderDrawer } from "@/components/orders/use-order-drawer";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { OrderHistoryPage } from "@/lib/schemas/dashboard-orders";

type Order = z.input<typeof OrderHistoryPage>["orders"][number];

interface RowProps {
  order: Order;
  show: (orderId: string) => void;
}

/** The order history as a table, and as cards on a phone. */
export function OrderHistory({ orders }: { orders: readonly Order[] }) {
  const { show, drawer } = useOrderDrawer(null);
  return (
    <>
      <div className="print:text-[8pt]" onClick={(event) => followRow(event.target)}>
        <Table caption="Closed orders" head={<Head />} hasCards>
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} show={show} />
          ))}
        </Table>
      </div>
      <CardList label="Closed orders">
        {orders.map((order) => (
          <OrderCard key={order.id} order={order} show={show} />
        ))}
      </CardList>
      {drawer}
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
      <HeadCell isNumeric>Avg price</HeadCell>
      <HeadCell isNumeric>Filled / ordered</HeadCell>
      <HeadCell isNumeric>Value, fee</HeadCell>
      <HeadCell>Status</HeadCell>
    </tr>
  );
}

function OrderRow({ order, show }: RowProps) {
  return (
    <Row>
      <Cell>
        <TimeStamp at={order.updatedAt} isRelative={false} />
      </Cell>
      <Cell isRowHeader isFilling>
        <DetailsLink
          orderId={order.id}
          title={order.marketTitle}
          iconUrl={order.iconUrl}
          show={show}
        />
        {/* The widest column has room for the sentence. */}
        {order.rejection && (
          <p className="mt-0.5 pl-8 print:pl-0">
            <Rejection rejection={order.rejection} />
          </p>
        )}
      </Cell>
      <Cell>
        {/* A long outcome takes two lines, so that the market's title has the width. */}
        <span className="block w-max max-w-28 [&>span]:whitespace-normal">
          <SideLabel action={order.action} outcome={order.outcome} />
        </span>
      </Cell>
      <Cell>
        <TypeAndLimit order={order} />
        <OrderOptions order={order} />
      </Cell>
      <Cell isNumeric>
        <Price price={order.avgFillPrice} tickSize={order.tickSize} isAverage />
      </Cell>
      <Cell isNumeric>
        <FilledOfOrdered order={order} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={order.filledShares > 0 ? order.value : null} />
        {order.filledShares > 0 && (
          <span className="block text-small text-text-2">
            <Money usdc={order.fee} />
          </span>
        )}
      </Cell>
      <Cell>
        <LineStatus order={order} />
      </Cell>
    </Row>
  );
}

function OrderCard({ order, show }: RowProps) {
  return (
    <li className="flex flex-col gap-1 px-3 py-3">
      <DetailsLink
        orderId={order.id}
        title={order.marketTitle}
        iconUrl={order.iconUrl}
        show={show}
      />
      <div className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-x-1.5">
          <SideLabel action={order.action} outcome={order.outcome} />
          <span aria-hidden="true">·</span>
          <TypeAndLimit order={order} />
        </span>
        {order.filledShares > 0 && <Money usdc={order.value} />}
      </div>
      <div className="flex items-center justify-between gap-3 text-small text-text-2">
        <span className="num">
          <FilledOfOrdered order={order} />
          {order.filledShares > 0 && (
            <>
              {" "}
              · avg <Price price={order.avgFillPrice} tickSize={order.tickSize} isAverage />
            </>
          )}
        </span>
        <LineStatus order={order} />
      </div>
      {order.rejection && <Rejection rejection={order.rejection} />}
      <OrderOptions order={order} />
      <span className="text-small text-text-2">
        <TimeStamp at={order.updatedAt} isRelative={false} />
      </span>
    </li>
  );
}

/** "Limit 50¢", or "Market": its worst price, if it has one, is on the order's own page. */
function TypeAndLimit({ order: { type, price, tickSize } }: { order: Order }) {
  if (type === "market") return "Market";
  return (
    <span className="num whitespace-nowrap">
      Limit <Price price={price} tickSize={tickSize} />
    </span>
  );
}
