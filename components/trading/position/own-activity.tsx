"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { formatOrderPrice } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money, Shares } from "@/components/format/values";
import { useOwnMarket } from "@/components/trading/order-book/own-market";
import { readRemaining } from "@/components/orders/cancel-toast";
import { FilledBar } from "@/components/orders/filled-bar";
import { FilledOfOrdered, OrderOptions, OrderTerms } from "@/components/orders/order-words";
import {
  type CancelAction,
  CancelForm,
  OWN_ACTIVITY_ID,
} from "@/components/trading/order-book/own-orders";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/states";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { OwnMarketWire } from "@/lib/browser/use-own-market";

interface Props {
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string }[];
  /** Whether the market takes no more orders. */
  isClosed: boolean;
  cancelAction: CancelAction;
}

/** The account's open orders and fills in the market. They follow the account's events. */
export function OwnActivity({ tickSize, outcomes, isClosed, cancelAction }: Props) {
  const { orders, fills } = useOwnMarket();
  return (
    <section
      id={OWN_ACTIVITY_ID}
      tabIndex={-1}
      aria-label="Your activity"
      className="flex flex-col gap-4"
    >
      {orders.length + fills.length === 0 && (
        <div className="card">
          <EmptyState>
            {isClosed
              ? "You had no orders or trades in this market."
              : "You have no orders or trades in this market yet."}
          </EmptyState>
        </div>
      )}
      {orders.length > 0 && <Orders orders={orders} cancelAction={cancelAction} />}
      {fills.length > 0 && <Trades trades={fills} tickSize={tickSize} outcomes={outcomes} />}
    </section>
  );
}

interface OrdersProps extends Pick<Props, "cancelAction"> {
  orders: OwnMarketWire["orders"];
}

function Orders({ orders, cancelAction }: OrdersProps) {
  return (
    <Card title="Your open orders" isFlush>
      <Table
        caption="Your open orders"
        head={
          <tr>
            <HeadCell>Order</HeadCell>
            <HeadCell isNumeric>Price</HeadCell>
            <HeadCell isNumeric>Filled</HeadCell>
            <HeadCell>
              <span className="sr-only">Actions</span>
            </HeadCell>
          </tr>
        }
      >
        {orders.map((order) => (
          <Row key={order.id}>
            <Cell>
              <Link
                href={`/orders/${order.id}`}
                prefetch={false}
                className="inline-flex items-center hover:underline max-lg:min-h-11"
              >
                {order.action === "BUY" ? "Buy" : "Sell"} {order.outcome}
              </Link>
              <OrderOptions order={order} />
              {order.status === "pending_approval" && <Below>Waits for approval</Below>}
              <Below>
                <TimeStamp at={order.createdAt} />
              </Below>
            </Cell>
            <Cell isNumeric>
              <OrderTerms order={order} />
            </Cell>
            <Cell isNumeric>
              {order.shares === null ? (
                <FilledOfOrdered order={order} />
              ) : (
                <FilledBar filled={order.filledShares} of={order.shares} />
              )}
            </Cell>
            <Cell isNumeric>
              {order.isLive && (
                <CancelForm
                  order={{ ...order, shares: readRemaining(order) }}
                  cancelAction={cancelAction}
                />
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}

interface TradesProps extends Pick<Props, "tickSize" | "outcomes"> {
  trades: OwnMarketWire["fills"];
}

function Trades({ trades, tickSize, outcomes }: TradesProps) {
  return (
    <Card title="Your trades" isFlush>
      <Table
        caption="Your trades"
        head={
          <tr>
            <HeadCell>Trade</HeadCell>
            <HeadCell isNumeric>Price</HeadCell>
            <HeadCell isNumeric>Value, fee</HeadCell>
          </tr>
        }
      >
        {trades.map((trade) => (
          <Row key={trade.id}>
            <Cell>
              <Link
                href={`/orders/${trade.orderId}`}
                prefetch={false}
                className="inline-flex items-center hover:underline max-lg:min-h-11"
              >
                <span>
                  {trade.action === "BUY" ? "Bought" : "Sold"} <Shares shares={trade.shares} />{" "}
                  {outcomes.find(({ tokenId }) => tokenId === trade.tokenId)?.name}
                </span>
              </Link>
              <Below>
                <TimeStamp at={trade.createdAt} />
              </Below>
            </Cell>
            <Cell isNumeric>{formatOrderPrice(trade.price, tickSize)}</Cell>
            <Cell isNumeric>
              <Money usdc={trade.amount} />
              <Below>
                <Money usdc={trade.fee} />
              </Below>
            </Cell>
          </Row>
        ))}
      </Table>
    </Card>
  );
}

/** The second line of a cell, so that the table fits a phone. */
function Below({ children }: { children: ReactNode }) {
  return <span className="block text-small text-text-2">{children}</span>;
}
