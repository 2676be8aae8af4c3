import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import {
  formatMoney,
  formatPrice,
  formatShares,
  formatUsdcExact,
} from "@/components/format/numbers";
import { Masked } from "@/components/format/values";
import { OrderFills } from "@/components/orders/order-fills";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { SideLabel } from "@/components/orders/order-words";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { OrderLine } from "@/lib/schemas/order-views";
import { OrderRecord } from "@/lib/schemas/orders";
import { findPlacement } from "@/lib/services/orders/find-placement";
import { getOrder } from "@/lib/services/orders/get-order";
import { getOrderLine } from "@/lib/services/orders/get-order-line";

export const metadata: Metadata = { title: "Order receipt" };

interface Props {
  params: Promise<{ key: string }>;
}

/** What became of an order, found by the key it was sent with. Loading it again changes nothing. */
export default async function ReceiptPage({ params }: Props) {
  const { principal } = await requireSession();
  const key = decodeURIComponent((await params).key);
  const placement = await findPlacement(principal, key);
  if (placement.state === "none") return <NothingFound />;
  const { orderId } = placement;
  const [record, line] = await Promise.all([
    getOrder(principal, orderId),
    getOrderLine(principal, orderId),
  ]);
  const order = z.encode(OrderRecord, record);
  return (
    <div className="mx-auto flex max-w-[720px] flex-col gap-4">
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <SideLabel action={order.action} outcome={line.outcome} />
            <OrderStatusBadge status={order.status} filledShares={order.filledShares} />
          </span>
        }
        description={line.marketTitle}
      />
      {placement.state === "refused" && (
        <Callout tone="danger" title="The order was rejected.">
          {placement.message}.
        </Callout>
      )}
      {placement.state === "unknown" && (
        <Callout tone="warn" title="The venue has not said yet whether it took this order.">
          It is looked for until that is known. Going back and pressing the button once more is
          safe: the same order is placed once only.
        </Callout>
      )}
      <Card title="What happened">
        <Facts order={order} tickSize={z.encode(OrderLine, line).tickSize} />
      </Card>
      <Card title="Fills" isFlush>
        <OrderFills fills={order.fills} tickSize={line.tickSize} />
      </Card>
      <div className="flex flex-wrap gap-2">
        <ButtonLink tone="primary" href={`/orders/${orderId}`}>
          View order
        </ButtonLink>
        <ButtonLink href={placement.state === "refused" ? editHref(order) : againHref(order)}>
          {placement.state === "refused" ? "Edit order" : "Trade again"}
        </ButtonLink>
        <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
      </div>
    </div>
  );
}

function NothingFound() {
  return (
    <div className="mx-auto flex max-w-[720px] flex-col gap-4">
      <PageHeader title="No order yet" />
      <Callout tone="warn" title="No order with this receipt has reached the exchange.">
        If you have just sent it, wait a moment and load this page again. Going back and pressing
        the button once more is safe: the same order is placed once only.
      </Callout>
      <div className="flex flex-wrap gap-2">
        <ButtonLink tone="primary" href="">
          Check again
        </ButtonLink>
        <ButtonLink href="/orders">Open orders</ButtonLink>
      </div>
    </div>
  );
}

type OrderWire = z.input<typeof OrderRecord>;

const againHref = ({ tokenId }: OrderWire) => `/trade?token=${tokenId}`;

/** The ticket as it was when it was sent. */
function editHref({ tokenId, action, type, price, shares, amount }: OrderWire): string {
  const query = new URLSearchParams({
    token: tokenId,
    side: action === "BUY" ? "buy" : "sell",
    type,
    ...(type === "limit" && price !== null && { price: String(price) }),
    ...(shares !== null && { shares: String(shares) }),
    ...(amount !== null && { amount: String(amount) }),
  });
  return `/trade?${query}`;
}

interface FactsProps {
  order: OrderWire;
  tickSize: string;
}

function Facts({ order, tickSize }: FactsProps) {
  const isLimit = order.type === "limit";
  const rows: [string, string, boolean][] = [
    ["Type", isLimit ? "Limit" : "Market", false],
    [isLimit ? "Limit price" : "Worst price", formatPrice(order.price, tickSize), false],
    order.amount === null
      ? ["Ordered", `${formatShares(order.shares)} shares`, true]
      : ["Ordered", formatMoney(order.amount), true],
    ["Filled", `${formatShares(order.filledShares)} shares`, true],
    ["Average price", formatPrice(order.avgFillPrice, tickSize, 1), false],
    ["Fee", formatUsdcExact(order.fee), true],
  ];
  return (
    <dl className="flex flex-col gap-1">
      {rows.map(([label, value, isPrivate]) => (
        <div key={label} className="flex items-baseline justify-between gap-3">
          <dt className="text-text-2">{label}</dt>
          <dd className="num text-right">{isPrivate ? <Masked>{value}</Masked> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
