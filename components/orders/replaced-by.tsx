import Link from "next/link";
import type { z } from "zod";
import { formatPrice, formatShares } from "@/components/format/numbers";
import { Masked } from "@/components/format/values";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { Badge } from "@/components/ui/badge";
import type { OrderDetails } from "@/lib/schemas/dashboard-orders";

type Details = Pick<z.input<typeof OrderDetails>, "record" | "line" | "replacedBy">;

/** Names the order that replaced an edited one, by its terms. */
export function ReplacedBy({ details: { line, replacedBy } }: { details: Details }) {
  if (replacedBy === null) return null;
  const { orderId, price, shares } = replacedBy;
  return (
    <p className="text-text-2">
      You edited this order. It was replaced by{" "}
      <Link href={`/orders/${orderId}`} prefetch={false} className="link">
        {line.action === "BUY" ? "buy" : "sell"} <Masked>{formatShares(shares)}</Masked>{" "}
        {line.outcome} at {formatPrice(price, line.tickSize)}
      </Link>
      .
    </p>
  );
}

/** The badge of an order. An edited one was canceled, but for the order that replaced it. */
export function DetailsBadge({ details: { record, replacedBy } }: { details: Details }) {
  if (replacedBy === null) return <OrderStatusBadge {...record} />;
  return <Badge>{record.filledShares > 0 ? "Replaced, part filled" : "Replaced"}</Badge>;
}
