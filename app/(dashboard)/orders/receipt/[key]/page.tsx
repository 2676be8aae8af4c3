import type { Metadata } from "next";
import type { ReactNode } from "react";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import {
  formatFullMoney,
  formatMoney,
  formatOrderPrice,
  formatPrice,
  formatShares,
} from "@/components/format/numbers";
import { formatInstant, formatPrecise, formatZone } from "@/components/format/times";
import { ExactUsdc, Masked } from "@/components/format/values";
import { RefusalText } from "@/components/format/refusal-text";
import { Bound } from "@/components/orders/order-fields";
import { TIME_IN_FORCE } from "@/components/orders/order-words";
import { ReceiptTitle, ReceiptTotal } from "@/components/orders/receipt-parts";
import type { Clock } from "@/components/trading/wording";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { defaultTimeInForce } from "@/lib/domain/time-in-force";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import { toWallTime } from "@/lib/domain/wall-time";
import { OrderLine } from "@/lib/schemas/dashboard-orders";
import { OrderRecord } from "@/lib/schemas/orders";
import { findPlacement } from "@/lib/orders/find-placement";
import { getOrder, getOrderLine } from "@/lib/orders/get-order";

export const metadata: Metadata = { title: "Order receipt" };

interface Props {
  params: Promise<{ key: string }>;
}

/** The receipt of an order, found by its idempotency key. Reloading it is safe. */
export default async function ReceiptPage({ params }: Props) {
  const { principal } = await requireSession();
  const key = decodeURIComponent((await params).key);
  const placement = await findPlacement(principal, key);
  if (placement.state === "none") return <NothingFound />;
  const { orderId } = placement;
  const [record, line, display] = await Promise.all([
    getOrder(principal, orderId),
    getOrderLine(principal, orderId),
    getDisplay(),
  ]);
  const order = z.encode(OrderRecord, record);
  const shown = z.encode(OrderLine, line);
  return (
    <div className="mx-auto flex max-w-150 flex-col gap-4">
      <PageHeader title={<ReceiptTitle line={shown} />} description={line.marketTitle} />
      {placement.state === "refused" && (
        <Callout tone="danger" title="The order was rejected.">
          <RefusalText message={placement.message} />
        </Callout>
      )}
      {placement.state === "unknown" && (
        <Callout tone="warn" title="The exchange hasn&rsquo;t confirmed this order yet.">
          We keep checking. It&rsquo;s safe to go back and press the button again: the order is
          placed only once.
        </Callout>
      )}
      <Card title="Order">
        <ReceiptTotal line={shown} />
        <Facts order={order} tickSize={line.tickSize} clock={display} />
      </Card>
      <Card
        title="Fills"
        actions={
          <span className="text-small text-text-2">Times in {formatZone(display.zone)}</span>
        }
        isFlush
      >
        <Fills fills={order.fills} tickSize={line.tickSize} clock={display} />
      </Card>
      <div className="flex flex-wrap gap-2">
        <ButtonLink tone="primary" href={`/orders/${orderId}`}>
          View order
        </ButtonLink>
        <ButtonLink
          href={
            placement.state === "refused"
              ? buildEditHref(line.marketSlug, order, display.zone)
              : buildTicketHref(line.marketSlug, { token: order.tokenId })
          }
        >
          {placement.state === "refused" ? "Edit order" : "Trade again"}
        </ButtonLink>
        <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
      </div>
    </div>
  );
}

function NothingFound() {
  return (
    <div className="mx-auto flex max-w-150 flex-col gap-4">
      <PageHeader title="No order yet" />
      <Callout tone="warn" title="No order with this receipt has reached the exchange.">
        If you just sent it, wait a moment and reload this page. It&rsquo;s safe to go back and
        press the button again: the order is placed only once.
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

/** Builds the URL of the ticket with the order's fields. */
function buildEditHref(slug: string, order: OrderWire, zone: string): string {
  const { tokenId, action, type, price, shares, amount, expiresAt } = order;
  return buildTicketHref(slug, {
    token: tokenId,
    side: action === "BUY" ? "buy" : "sell",
    type,
    ...(type === "limit" && price !== null && { price: String(price) }),
    ...(shares !== null && { shares: String(shares) }),
    ...(amount !== null && { amount: String(amount) }),
    ...(expiresAt !== null && {
      expiry: "time",
      expires: toWallTime(Date.parse(expiresAt), zone),
    }),
    ...(order.postOnly && { postOnly: "true" }),
    ...(type === "market" && order.timeInForce === "FOK" && { fillOrKill: "true" }),
  });
}

/** Label, value, and whether "hide values" masks it. */
type Fact = [string, ReactNode, boolean];

interface FactsProps {
  order: OrderWire;
  tickSize: string;
  clock: Clock;
}

function Facts({ order, tickSize, clock }: FactsProps) {
  const isLimit = order.type === "limit";
  const rows: Fact[] = [
    ["Type", isLimit ? "Limit" : "Market", false],
    [
      isLimit ? "Limit price" : "Worst price",
      <Bound key="bound" record={order} tickSize={tickSize} />,
      false,
    ],
    order.amount === null
      ? ["Ordered", `${formatShares(order.shares)} shares`, true]
      : ["Ordered", formatMoney(order.amount), true],
    ...optionRows(order, clock),
    ["Filled", `${formatShares(order.filledShares)} shares`, true],
    ["Average price", formatPrice(order.avgFillPrice, tickSize, 1), false],
    ["Fee", formatFullMoney(order.fee), true],
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

interface FillsProps {
  fills: OrderWire["fills"];
  tickSize: string;
  clock: Clock;
}

/** The fills of the order, oldest first, in lines that fit a phone. */
function Fills({ fills, tickSize, clock }: FillsProps) {
  if (fills.length === 0) return <EmptyState>No fills.</EmptyState>;
  return (
    <ul className="divide-y divide-border border-t border-border">
      {fills.map((fill) => (
        <li key={fill.id} className="flex justify-between gap-3 px-3 py-2 sm:px-4">
          <span>
            <Masked>{formatShares(fill.shares)}</Masked> at {formatOrderPrice(fill.price, tickSize)}
            <span className="num block text-small text-text-2">
              {formatPrecise(fill.createdAt, clock)}
            </span>
          </span>
          <span className="text-right">
            <ExactUsdc usdc={fill.amount} />
            <span className="block text-small text-text-2">
              Fee <ExactUsdc usdc={fill.fee} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The options that differ from the default of the order's type. */
function optionRows({ type, timeInForce, expiresAt, postOnly }: OrderWire, clock: Clock): Fact[] {
  const rows: Fact[] = [];
  if (expiresAt !== null) rows.push(["Expires", formatInstant(expiresAt, clock), false]);
  else if (timeInForce !== defaultTimeInForce(type)) {
    rows.push(["Time in force", TIME_IN_FORCE[timeInForce], false]);
  }
  if (postOnly) rows.push(["Post only", "Yes", false]);
  return rows;
}
