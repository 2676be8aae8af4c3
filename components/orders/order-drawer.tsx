"use client";

import useSWR from "swr";
import type { z } from "zod";
import { OrderFields } from "@/components/orders/order-fields";
import { OrderFills } from "@/components/orders/order-fills";
import { OrderHeadline } from "@/components/orders/order-headline";
import { OrderTimeline } from "@/components/orders/order-timeline";
import { DetailsBadge, EditNotes } from "@/components/orders/replaced";
import { Button, ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/states";
import { fetchData } from "@/lib/browser/fetcher";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import { isReplaceable } from "@/lib/domain/order-replacement";
import { isCancelable } from "@/lib/domain/order-status";
import type { OrderDetails } from "@/lib/schemas/dashboard-orders";

type Details = z.input<typeof OrderDetails>;

/** How the list of open orders changes one of them. The list shows the result. */
export interface OrderActions {
  edit: (orderId: string) => void;
  cancel: (orderId: string) => Promise<void>;
  canceling: { ids: ReadonlySet<string>; problems: ReadonlyMap<string, string> };
}

interface Props {
  orderId: string;
  onClose: () => void;
  /** Null in a list of closed orders. */
  actions: OrderActions | null;
}

/** The details of an order beside the list, and over it on a phone. Follows the account's events. */
export function OrderDrawer({ orderId, onClose, actions }: Props) {
  const url = `/api/ui/order?id=${encodeURIComponent(orderId)}`;
  const { data, error, mutate } = useSWR<Details, Error>(url, fetchData<Details>);
  return (
    <Dialog title="Order" isOpen onClose={onClose} isSheet isDrawer>
      {data ? (
        <Content
          details={data}
          actions={
            actions && { ...actions, cancel: (id) => actions.cancel(id).finally(() => mutate()) }
          }
        />
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

/** The id of the headline, which gets the focus if the focused button is gone. */
const HEADLINE_ID = "drawer-headline";

function Content({ details, actions }: { details: Details } & Pick<Props, "actions">) {
  const { record, line, curl } = details;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <p id={HEADLINE_ID} tabIndex={-1} className="text-heading outline-none">
          <OrderHeadline line={line} />
        </p>
        <p className="text-text-2">{line.marketTitle}</p>
        <p>
          <DetailsBadge details={details} />
        </p>
        <EditNotes details={details} />
      </div>
      {actions && <Actions details={details} actions={actions} />}
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/orders/${record.id}`}>View order</ButtonLink>
        <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
        <CopyButton text={curl} label="Copy as curl" hasText />
      </div>
      <section aria-label="History">
        <h3 className="mb-2 text-heading">History</h3>
        <OrderTimeline details={details} />
      </section>
      {record.fills.length > 0 && (
        <section>
          <h3 className="mb-2 text-heading">Fills</h3>
          <OrderFills fills={record.fills} tickSize={line.tickSize} isNarrow />
        </section>
      )}
      <section aria-label="Fields">
        <h3 className="mb-2 text-heading">Order</h3>
        <OrderFields record={record} line={line} />
      </section>
    </div>
  );
}

/** The buttons of an order that is still open. */
function Actions({ details, actions }: { details: Details; actions: OrderActions }) {
  const { record, line } = details;
  const handover = useFocusHandover({ kind: "drawer-action", fallbacks: [HEADLINE_ID] });
  if (!isCancelable(record.status)) return null;
  const isCanceling = actions.canceling.ids.has(record.id);
  const problem = actions.canceling.problems.get(record.id);
  return (
    <div {...handover} className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {record.status === "pending_approval" && (
          <ButtonLink tone="primary" href={`/approvals/${record.id}`}>
            Review
          </ButtonLink>
        )}
        {isReplaceable(line) && (
          <ButtonLink
            href={`/orders/${record.id}/edit`}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              actions.edit(record.id);
            }}
          >
            Edit
          </ButtonLink>
        )}
        <Button
          tone="danger"
          isUnavailable={isCanceling}
          aria-busy={isCanceling}
          onClick={() => void actions.cancel(record.id)}
        >
          {isCanceling ? "Canceling…" : "Cancel order"}
        </Button>
      </div>
      {problem !== undefined && (
        <Callout tone="danger" role="alert">
          {problem}
        </Callout>
      )}
    </div>
  );
}
