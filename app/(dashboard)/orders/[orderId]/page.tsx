import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { cancelFromDetail } from "@/app/(dashboard)/orders/actions";
import { CancelNotice } from "@/app/(dashboard)/orders/cancel-notice";
import { RecordOutage } from "@/app/(dashboard)/record-outage";
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
import { formatCurl } from "@/lib/domain/curl";
import { isLive, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { OrderRecord } from "@/lib/schemas/orders";
import { OrderLine } from "@/lib/schemas/dashboard-orders";
import { listKeyNames } from "@/lib/auth/list-keys";
import { getOrder, getOrderLine } from "@/lib/orders/get-order";

interface Props {
  params: Promise<{ orderId: string }>;
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Order ${(await params).orderId.slice(-6)}` };
}

/** The page of an order: its fields, its history and its JSON record. */
export default async function OrderPage({ params, searchParams }: Props) {
  const { principal } = await requireSession();
  const { orderId } = await params;
  const [{ record, line }, keyNames, query] = await Promise.all([
    readOrder(principal, orderId),
    listKeyNames(principal.userId),
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
            <OrderStatusBadge {...record} />
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
      <RecordOutage principal={principal} />
      <CancelNotice query={toSearchParams(query)} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Card title="Order">
          <OrderFields record={record} line={line} />
        </Card>
        <Card title="History">
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
            actions={<CopyButton text={buildCurl(record.id)} label="Copy as curl" hasText />}
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

/** Returns the order, or shows the 404 page: the same for unknown ids and other users' orders. */
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

function buildCurl(orderId: string): string {
  return formatCurl({ method: "GET", url: `${env().NEXTAUTH_URL}/v1/orders/${orderId}` });
}
