import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { cancelFromDetail } from "@/app/(dashboard)/orders/actions";
import { CancelNotice } from "@/app/(dashboard)/orders/cancel-notice";
import { OrderFields } from "@/components/orders/order-fields";
import { OrderFills } from "@/components/orders/order-fills";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { OrderTimeline } from "@/components/orders/order-timeline";
import { OrderWatch } from "@/components/orders/order-watch";
import { SideLabel } from "@/components/orders/order-words";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Principal } from "@/lib/auth/principal";
import { curlLine } from "@/lib/domain/curl";
import { isLive, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { OrderRecord } from "@/lib/schemas/orders";
import { OrderLine } from "@/lib/schemas/order-views";
import { nameKeys } from "@/lib/services/keys/list-keys";
import { getOrder } from "@/lib/services/orders/get-order";
import { getOrderLine } from "@/lib/services/orders/get-order-line";

interface Props {
  params: Promise<{ orderId: string }>;
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Order ${(await params).orderId.slice(-6)}` };
}

/** One order: what it is, what became of it, and its record as the interface gives it. */
export default async function OrderPage({ params, searchParams }: Props) {
  const { principal } = await requireSession();
  const { orderId } = await params;
  const [{ record, line }, keyNames, query] = await Promise.all([
    readOrder(principal, orderId),
    nameKeys(principal.userId),
    searchParams,
  ]);
  const json = JSON.stringify(record, null, 2);
  const isUnsettled = UNSETTLED_STATUSES.some((status) => status === record.status);
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <SideLabel action={line.action} outcome={line.outcome} />
            <OrderStatusBadge status={record.status} filledShares={record.filledShares} />
          </span>
        }
        description={line.marketTitle}
        actions={
          <>
            {isUnsettled && <OrderWatch record={record} at={Date.now()} />}
            <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
            {isLive(record.status) && <CancelForm orderId={record.id} />}
          </>
        }
      />
      <CancelNotice query={toSearchParams(query)} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Card title="Order">
          <OrderFields record={record} line={line} />
        </Card>
        <Card title="What happened">
          <OrderTimeline
            events={record.events}
            keyNames={Object.fromEntries(keyNames)}
            tickSize={line.tickSize}
          />
        </Card>
        <div className="min-w-0 lg:col-span-2">
          <Card title="Fills" isFlush>
            <OrderFills fills={record.fills} tickSize={line.tickSize} />
          </Card>
        </div>
        <div className="min-w-0 lg:col-span-2">
          <Card
            title="Raw record"
            actions={<CopyButton text={curlOf(record.id)} label="Copy as curl" hasText />}
          >
            <details>
              <summary className="cursor-pointer py-1">Show as JSON</summary>
              <div className="mt-2">
                <CodeBlock code={json} label="record" />
              </div>
            </details>
          </Card>
        </div>
      </div>
    </>
  );
}

function CancelForm({ orderId }: { orderId: string }) {
  return (
    <form action={cancelFromDetail}>
      <input type="hidden" name="one" value={orderId} />
      <SubmitButton tone="danger" pendingLabel="Canceling…">
        Cancel order
      </SubmitButton>
    </form>
  );
}

/** The order, or the page that says there is none: the same for an unknown id and another user's. */
async function readOrder(principal: Principal, orderId: string) {
  try {
    const [record, line] = await Promise.all([
      getOrder(principal, orderId),
      getOrderLine(principal, orderId),
    ]);
    return { record: z.encode(OrderRecord, record), line: z.encode(OrderLine, line) };
  } catch (error) {
    if (error instanceof AppError && error.code === "ORDER_NOT_FOUND") notFound();
    throw error;
  }
}

function curlOf(orderId: string): string {
  return curlLine({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/orders/${orderId}` });
}
