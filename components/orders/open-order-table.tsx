"use client";

import Link from "next/link";
import { Money, Price, Shares } from "@/components/format/values";
import { TimeStamp } from "@/components/format/time-stamp";
import { CancelButton } from "@/components/orders/cancel-button";
import { FilledBar } from "@/components/orders/filled-bar";
import type { OpenOrderRows, OrderLineWire } from "@/components/orders/open-order-row";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { MarketName, OrderOptions, SideLabel } from "@/components/orders/order-words";
import { Badge } from "@/components/ui/badge";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

/** Open orders as a table, on screens from 768 px on. */
export function OpenOrderTable({ orders, canceling, chosen, choose }: OpenOrderRows) {
  const selectable = orders.filter((order) => order.isLive).map(({ id }) => id);
  const head = (
    <tr>
      <HeadCell>
        <Check
          label="Select all orders"
          isChecked={selectable.length > 0 && selectable.every((id) => chosen.has(id))}
          onChange={(isChosen) => choose(selectable, isChosen)}
        />
      </HeadCell>
      <HeadCell>Placed</HeadCell>
      <HeadCell>Market</HeadCell>
      <HeadCell>Side</HeadCell>
      <HeadCell>Type</HeadCell>
      <HeadCell isNumeric>Price</HeadCell>
      <HeadCell isNumeric>Shares</HeadCell>
      <HeadCell isNumeric>Filled</HeadCell>
      <HeadCell isNumeric>Total</HeadCell>
      <HeadCell>Status</HeadCell>
      <HeadCell>
        <span className="sr-only">Cancel</span>
      </HeadCell>
    </tr>
  );
  return (
    <Table caption="Open orders" head={head} hasCards>
      {orders.map((order) => (
        <OrderRow
          key={order.id}
          order={order}
          isCanceling={canceling.ids.has(order.id)}
          problem={canceling.problems.get(order.id) ?? null}
          isChosen={chosen.has(order.id)}
          onChoose={(isChosen) => choose([order.id], isChosen)}
        />
      ))}
    </Table>
  );
}

interface RowProps {
  order: OrderLineWire;
  isCanceling: boolean;
  problem: string | null;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function OrderRow({ order, isCanceling, problem, isChosen, onChoose }: RowProps) {
  const name = describeOpenOrder(order);
  return (
    <Row>
      <Cell>
        {order.isLive && (
          <Check
            label={`Select ${name}`}
            value={order.id}
            isChecked={isChosen}
            onChange={onChoose}
          />
        )}
      </Cell>
      <Cell>
        <Link href={`/orders/${order.id}`} prefetch={false} className="link">
          <TimeStamp at={order.createdAt} />
        </Link>
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
        {order.price === null ? "Market" : <Price price={order.price} tickSize={order.tickSize} />}
      </Cell>
      <Cell isNumeric>
        <Shares shares={order.shares} />
      </Cell>
      <Cell isNumeric>
        <FilledBar filled={order.filledShares} of={order.shares} />
      </Cell>
      <Cell isNumeric>
        <Money usdc={order.total} isPaid={order.action === "BUY"} />
      </Cell>
      <Cell>
        <span className="inline-block min-w-24">
          {isCanceling ? <Badge tone="warn">Canceling…</Badge> : <OrderStatusBadge {...order} />}
        </span>
        {problem !== null && (
          <p role="alert" className="mt-1 max-w-48 text-small text-danger">
            {problem}
          </p>
        )}
      </Cell>
      <Cell isNumeric isPinned>
        {order.isLive && <CancelButton orderId={order.id} of={name} isCanceling={isCanceling} />}
      </Cell>
    </Row>
  );
}

export function describeOpenOrder({ action, outcome, marketTitle }: OrderLineWire): string {
  return `${action === "BUY" ? "Buy" : "Sell"} ${outcome}, ${marketTitle}`;
}

interface CheckProps {
  label: string;
  /** The id of the order that it selects. Without one, the form ignores the box. */
  value?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Check({ label, value, isChecked, onChange }: CheckProps) {
  return (
    <label className="grid size-6 place-items-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        {...(value === undefined ? {} : { name: "order", value })}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-(--ink)"
      />
    </label>
  );
}
