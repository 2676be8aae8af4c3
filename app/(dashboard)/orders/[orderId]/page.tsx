import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import { OrderNotFound } from "@/components/orders/order-not-found";
import { cancelFromDetail } from "@/app/(dashboard)/orders/actions";
import { CancelNotice } from "@/app/(dashboard)/orders/cancel-notice";
import { RecordOutage } from "@/app/(dashboard)/record-outage";
import { OrderFields } from "@/components/orders/order-fields";
import { OrderFills } from "@/components/orders/order-fills";
import { OrderTitle } from "@/components/orders/order-headline";
import { OrderTimeline } from "@/components/orders/order-timeline";
import { OrderWatch } from "@/components/orders/order-watch";
import { RejectionNote } from "@/components/orders/rejection";
import { EditNotes } from "@/components/orders/replaced";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Principal } from "@/lib/auth/principal";
import { isReplaceable } from "@/lib/domain/order-replacement";
import { isCancelable, isClosed, UNSETTLED_STATUSES } from "@/lib/domain/order-status";
import { AppError } from "@/lib/errors";
import { OrderDetails } from "@/lib/schemas/dashboard-orders";
import { getOrderDetails } from "@/lib/orders/get-order-details";

interface Props {
  params: Promise<{ orderId: string }>;
  searchParams: Promise<PageQuery>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Order ${(await params).orderId.slice(-6)}` };
}

/** The page of an order: its fields, its history and its JSON record. */
async function OrderPage({ params, searchParams }: Props) {
  const { principal } = await requireSession();
  const { orderId } = await params;
  const [details, query] = await Promise.all([readDetails(principal, orderId), searchParams]);
  const { record, line, curl } = details;
  const isExact = query["exact"] === "1";
  const isUnsettled = UNSETTLED_STATUSES.some((status) => status === record.status);
  return (
    <>
      <PageHeader
        title={<OrderTitle details={details} />}
        description={line.marketTitle}
        actions={
          <>
            {isUnsettled && <OrderWatch record={record} at={Date.now()} />}
            {record.status === "pending_approval" && (
              <ButtonLink tone="primary" href={`/approvals/${record.id}`}>
                Review
              </ButtonLink>
            )}
            {isClosed(record.status) ? (
              <ButtonLink href="/orders?tab=history">Order history</ButtonLink>
            ) : (
              <ButtonLink href="/orders">Open orders</ButtonLink>
            )}
            <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
            {isReplaceable(line) && (
              <ButtonLink href={`/orders/${record.id}/edit`}>Edit</ButtonLink>
            )}
            {isCancelable(record.status) && <CancelForm orderId={record.id} />}
          </>
        }
      />
      <RecordOutage principal={principal} />
      <CancelNotice query={toSearchParams(query)} />
      <div className="mb-4 flex flex-col gap-2 empty:hidden">
        <RejectionNote record={record} />
        <EditNotes details={details} />
      </div>
      {/* The second row takes the height that the fields need beside it. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:row-span-2">
          <Card
            title="Order"
            actions={record.filledShares > 0 && <Precision {...{ record, isExact }} />}
          >
            <OrderFields record={record} line={line} isExact={isExact} />
          </Card>
        </div>
        <Card title="History">
          <OrderTimeline details={details} />
        </Card>
        {record.fills.length > 0 && (
          <div className="min-w-0 lg:col-span-2 lg:row-start-3">
            <Card title="Fills" isFlush>
              <OrderFills fills={record.fills} tickSize={line.tickSize} isExact={isExact} />
            </Card>
          </div>
        )}
        <div className="min-w-0 lg:col-start-2 lg:row-start-2 print:hidden">
          <Card
            title="Raw record"
            actions={<CopyButton text={curl} label="Copy as curl" hasText />}
          >
            <details>
              <summary className="cursor-pointer py-1">Show as JSON</summary>
              <div className="mt-2">
                <CodeBlock code={JSON.stringify(record, null, 2)} label="record" />
              </div>
            </details>
          </Card>
        </div>
      </div>
    </>
  );
}

export default withNotFound(OrderPage, OrderNotFound);

interface PrecisionProps {
  record: { id: string };
  isExact: boolean;
}

/** Switches the amounts of the page between cents and all their decimals. */
function Precision({ record, isExact }: PrecisionProps) {
  return (
    <Link
      href={`/orders/${record.id}${isExact ? "" : "?exact=1"}`}
      prefetch={false}
      scroll={false}
      className="link inline-flex min-h-11 items-center text-small lg:min-h-8 print:hidden"
    >
      {isExact ? "Amounts in cents" : "Exact amounts"}
    </Link>
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
async function readDetails(principal: Principal, orderId: string) {
  try {
    return z.encode(OrderDetails, await getOrderDetails(principal, orderId));
  } catch (error) {
    if (error instanceof AppError && error.code === "ORDER_NOT_FOUND") notFound();
    throw error;
  }
}
