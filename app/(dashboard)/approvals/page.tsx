import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { countWaiting } from "@/components/shell/count-waiting";
import { TimeStamp } from "@/components/format/time-stamp";
import { TimeUntil } from "@/components/format/time-until";
import { Money, Shares } from "@/components/format/values";
import { OrderHeadline } from "@/components/orders/order-headline";
import { MarketIcon } from "@/components/portfolio/market-line";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { IntentLink } from "@/components/ui/intent-link";
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
      <Card title={<span role="status">{countWaiting(waiting.length)}</span>} isFlush>
        {waiting.length === 0 ? (
          <EmptyState action={<ButtonLink href="/keys">API keys</ButtonLink>}>
            A key with the limit “Approval above” places smaller buys by itself. Each larger one
            waits here for you.
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
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-3 py-3 sm:px-4">
      <div className="min-w-0 grow basis-80">
        <p className="font-[550]">
          <OrderHeadline line={line} />
        </p>
        {/* Whole, because titles of different markets can start alike. */}
        <p className="flex items-start gap-2 py-1 text-small">
          <MarketIcon iconUrl={line.iconUrl} />
          <IntentLink
            href={`/markets/${line.marketSlug}`}
            className="font-[550] wrap-anywhere hover:underline"
          >
            {line.marketTitle}
          </IntentLink>
        </p>
        <p className="text-small text-text-2">
          {key === null ? "An API key" : `“${key.name}”`} asked <TimeStamp at={line.createdAt} />
        </p>
      </div>
      <dl className="flex gap-6 text-right max-sm:grow max-sm:justify-between max-sm:text-left">
        <div>
          <dt className="text-caption text-text-3">
            {line.action === "BUY" ? "Costs at most" : "Sells"}
          </dt>
          <dd className="font-[550]">
            {line.action === "BUY" ? (
              <Money usdc={mostUsdc} />
            ) : (
              <>
                <Shares shares={line.shares} /> {line.outcome}
              </>
            )}
          </dd>
        </div>
        <div className="min-w-20">
          <dt className="text-caption text-text-3">
            Expires<span className="print:hidden"> in</span>
          </dt>
          <dd>
            <TimeUntil at={until} now={Date.now()} />
          </dd>
        </div>
      </dl>
      <ButtonLink
        tone="primary"
        href={`/approvals/${line.id}`}
        aria-label={`Review the order in ${line.marketTitle}`}
      >
        Review
      </ButtonLink>
    </li>
  );
}
