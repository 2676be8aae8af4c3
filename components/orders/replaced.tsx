import Link from "next/link";
import type { z } from "zod";
import { LinkedOrder } from "@/components/orders/linked-order";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { Badge } from "@/components/ui/badge";
import type { EditedOrderLine, OrderDetails } from "@/lib/schemas/dashboard-orders";

type Details = z.input<typeof OrderDetails>;

/** Names the orders before and after the order, if it comes from an edit or was edited. */
export function EditNotes({ details: { record, line, replacedBy, replaces } }: DetailsProps) {
  return (
    <>
      {replaces !== null && (
        <p className="text-text-2">
          This order {record.status === "rejected" ? "was to replace" : "replaces"}{" "}
          <LinkedOrder line={line} linked={replaces} />, which you edited.
        </p>
      )}
      {replacedBy !== null && (
        <p className="text-text-2">
          You edited this order. It was replaced by <LinkedOrder line={line} linked={replacedBy} />.
        </p>
      )}
    </>
  );
}

interface DetailsProps {
  details: Details;
}

/** The badge of an order. An edited one was canceled, but for the order that replaced it. */
export function DetailsBadge({ details: { record, replacedBy } }: DetailsProps) {
  if (replacedBy === null) return <OrderStatusBadge {...record} />;
  return <ReplacedBadge filledShares={record.filledShares} />;
}

/** The badge of an order in a list. A replaced one has a link to the order that replaced it. */
export function LineStatus({ order }: { order: z.input<typeof EditedOrderLine> }) {
  if (order.replacedBy === null) return <OrderStatusBadge {...order} />;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <ReplacedBadge filledShares={order.filledShares} />
      <Link
        href={`/orders/${order.replacedBy}`}
        prefetch={false}
        className="link inline-flex min-h-6 items-center text-small whitespace-nowrap print:hidden"
      >
        New order
      </Link>
    </span>
  );
}

/** Marks an order that another one replaced. */
export function ReplacedBadge({ filledShares }: { filledShares: number }) {
  return <Badge>{filledShares > 0 ? "Replaced, part filled" : "Replaced"}</Badge>;
}
