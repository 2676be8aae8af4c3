import Link from "next/link";
import type { z } from "zod";
import { formatOrderPrice, formatShares } from "@/components/format/numbers";
import { Masked } from "@/components/format/values";
import type { OrderDetails } from "@/lib/schemas/dashboard-orders";

type Details = z.input<typeof OrderDetails>;

interface Props {
  line: Details["line"];
  linked: NonNullable<Details["replacedBy"]>;
}

/** A link to an order that differs in its price and size: "buy 40 Yes at 3¢". */
export function LinkedOrder({ line, linked: { orderId, price, shares } }: Props) {
  return (
    <Link href={`/orders/${orderId}`} prefetch={false} className="link">
      {line.action === "BUY" ? "buy" : "sell"} <Masked>{formatShares(shares)}</Masked>{" "}
      {line.outcome} at {formatOrderPrice(price, line.tickSize)}
    </Link>
  );
}
