"use client";

import useSWR from "swr";
import type { z } from "zod";
import { OrderFields } from "@/components/orders/order-fields";
import { OrderFills } from "@/components/orders/order-fills";
import { OrderHeadline } from "@/components/orders/order-headline";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { OrderTimeline } from "@/components/orders/order-timeline";
import { ReplacedBy } from "@/components/orders/replaced-by";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/states";
import { fetchData } from "@/lib/browser/fetcher";
import type { OrderDetails } from "@/lib/schemas/dashboard-orders";

type Details = z.input<typeof OrderDetails>;

interface Props {
  orderId: string;
  onClose: () => void;
}

/** The details of an order beside the list, and over it on a phone. Follows the account's events. */
export function OrderDrawer({ orderId, onClose }: Props) {
  const url = `/api/ui/order?id=${encodeURIComponent(orderId)}`;
  const { data, error } = useSWR<Details, Error>(url, fetchData<Details>);
  return (
    <Dialog title="Order" isOpen onClose={onClose} isSheet isDrawer>
      {data ? (
        <Content details={data} />
      ) : error ? (
        <ErrorState
          headline="The order couldn&rsquo;t be loaded."
          details={error.message}
          action={<ButtonLink href={`/orders/${orderId}`}>View order</ButtonLink>}
        />
      ) : (
        <p role="status" className="py-10 text-center text-text-2">
          Loading…
        </p>
      )}
    </Dialog>
  );
}

function Content({ details }: { details: Details }) {
  const { record, line, keyNames, replacedBy, curl } = details;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <p className="text-heading">
          <OrderHeadline line={line} />
        </p>
        <p className="text-text-2">{line.marketTitle}</p>
        <p>
          <OrderStatusBadge {...record} />
        </p>
        <ReplacedBy orderId={replacedBy} />
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/orders/${record.id}`}>View order</ButtonLink>
        <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
        <CopyButton text={curl} label="Copy as curl" hasText />
      </div>
      <section aria-label="History">
        <h3 className="mb-2 text-heading">History</h3>
        <OrderTimeline events={record.events} keyNames={keyNames} tickSize={line.tickSize} />
      </section>
      {record.fills.length > 0 && (
        <section>
          <h3 className="mb-2 text-heading">Fills</h3>
          <OrderFills fills={record.fills} tickSize={line.tickSize} />
        </section>
      )}
      <section aria-label="Fields">
        <h3 className="mb-2 text-heading">Order</h3>
        <OrderFields record={record} line={line} />
      </section>
    </div>
  );
}
