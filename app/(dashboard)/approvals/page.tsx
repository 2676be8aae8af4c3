import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { TimeStamp } from "@/components/format/time-stamp";
import { Money } from "@/components/format/values";
import { OrderHeadline } from "@/components/orders/order-headline";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { listWaiting } from "@/lib/approvals/read-waiting";
import { WaitingOrder } from "@/lib/schemas/approvals";

export const metadata: Metadata = { title: "Approvals" };

/** The orders of programs that wait for their owner. */
export default async function ApprovalsPage() {
  const { principal } = await requireSession();
  const waiting = z.encode(WaitingOrder.array(), await listWaiting(principal));
  return (
    <>
      <RefreshOnAccountChange />
      <PageHeader
        title="Approvals"
        description="Orders from your API keys that need your approval. Each one waits up to 15 minutes."
      />
      <Card title="Waiting for you" isFlush>
        {waiting.length === 0 ? (
          <EmptyState action={<ButtonLink href="/keys">API keys</ButtonLink>}>
            No orders are waiting. Set “Approval above” on an API key to approve its larger buys
            here.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-border">
            {waiting.map((order) => (
              <WaitingRow key={order.line.id} waiting={order} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

function WaitingRow({ waiting }: { waiting: z.input<typeof WaitingOrder> }) {
  const { line, key, until, mostUsdc } = waiting;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-3 sm:px-4">
      <div className="min-w-0">
        <p className="font-[550]">
          <OrderHeadline line={line} />
        </p>
        <p className="truncate">{line.marketTitle}</p>
        <p className="text-small text-text-2">
          {key === null ? "An API key" : `“${key.name}”`} asked <TimeStamp at={line.createdAt} />.
          Waits until <TimeStamp at={until} isRelative={false} />. Can cost{" "}
          <Money usdc={mostUsdc} isPaid />.
        </p>
      </div>
      <ButtonLink
        href={`/approvals/${line.id}`}
        aria-label={`Review the order in ${line.marketTitle}`}
      >
        Review
      </ButtonLink>
    </li>
  );
}
