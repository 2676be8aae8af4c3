import type { Metadata } from "next";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { formatZone } from "@/components/format/times";
import { RefusalText } from "@/components/format/refusal-text";
import { OrderFields } from "@/components/orders/order-fields";
import { OrderFills } from "@/components/orders/order-fills";
import { OrderTitle } from "@/components/orders/order-headline";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import { toWallTime } from "@/lib/domain/wall-time";
import { findPlacement } from "@/lib/orders/find-placement";
import { getOrderDetails } from "@/lib/orders/get-order-details";
import { OrderDetails } from "@/lib/schemas/dashboard-orders";
import type { OrderRecord } from "@/lib/schemas/orders";

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
  const [found, display] = await Promise.all([getOrderDetails(principal, orderId), getDisplay()]);
  const details = z.encode(OrderDetails, found);
  const { record, line } = details;
  return (
    <div className="mx-auto flex max-w-150 flex-col gap-4 print:mx-0 print:max-w-130">
      <PageHeader title={<OrderTitle details={details} />} description={line.marketTitle} />
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
      <Card
        title="Order"
        actions={
          <span className="text-small text-text-2">Times in {formatZone(display.zone)}</span>
        }
      >
        <OrderFields record={record} line={line} />
      </Card>
      {record.fills.length > 0 && (
        <Card title="Fills" isFlush>
          <OrderFills fills={record.fills} tickSize={line.tickSize} isNarrow />
        </Card>
      )}
      <div className="flex flex-wrap gap-2">
        <ButtonLink tone="primary" href={`/orders/${orderId}`}>
          View order
        </ButtonLink>
        <ButtonLink
          href={
            placement.state === "refused"
              ? buildEditHref(line.marketSlug, record, display.zone)
              : buildTicketHref(line.marketSlug, { token: record.tokenId })
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
