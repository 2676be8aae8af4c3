import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import NotFound from "@/app/(dashboard)/not-found";
import { approveAction, declineAction } from "@/app/(dashboard)/approvals/actions";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { ApproveForm, DeclineForm } from "@/components/approvals/decision-forms";
import { WaitingTerms } from "@/components/approvals/waiting-terms";
import { TimeStamp } from "@/components/format/time-stamp";
import { TimeUntil } from "@/components/format/time-until";
import { Money } from "@/components/format/values";
import { OrderHeadline } from "@/components/orders/order-headline";
import { OrderStatusBadge } from "@/components/orders/order-status";
import { OrderOptions } from "@/components/orders/order-words";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { findWaiting } from "@/lib/approvals/read-waiting";
import type { Session } from "@/lib/auth/session";
import { isOrderId } from "@/lib/orders/get-order";
import { WaitingOrder, ApprovalPreview } from "@/lib/schemas/approvals";
import type { Mode } from "@/lib/venue/port";

export const metadata: Metadata = { title: "Approve an order" };

interface Props {
  params: Promise<{ orderId: string }>;
}

/** The page of an approval link: what a program asked for, what it would do now, and the decision. */
async function ApprovalPage({ params }: Props) {
  const session = await requireSession();
  const { orderId } = await params;
  const found = isOrderId(orderId) ? await findWaiting(session.principal, orderId) : null;
  if (!found) notFound();
  const { mode, preview, ...rest } = found;
  const waiting = z.encode(WaitingOrder, rest);
  const { line } = waiting;
  return (
    <div className="mx-auto max-w-240">
      <RefreshOnAccountChange />
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>
              <OrderHeadline line={line} />
            </span>
            <OrderStatusBadge {...line} />
          </span>
        }
        description={line.marketTitle}
        actions={
          <>
            <ButtonLink href="/approvals">All approvals</ButtonLink>
            <ButtonLink href={`/markets/${line.marketSlug}`}>Open market</ButtonLink>
          </>
        }
      />
      {mode !== session.principal.mode ? (
        <OtherAccount mode={mode} />
      ) : preview === null ? (
        <Decided waiting={waiting} />
      ) : (
        <Decision
          session={session}
          waiting={waiting}
          preview={z.encode(ApprovalPreview, preview)}
        />
      )}
    </div>
  );
}

export default withNotFound(ApprovalPage, NotFound);

interface PartProps {
  waiting: z.input<typeof WaitingOrder>;
}

async function Decision({
  session,
  waiting,
  preview,
}: PartProps & { session: Session; preview: z.input<typeof ApprovalPreview> }) {
  const { line } = waiting;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {/* First on a phone, where the terms would push the buttons off the screen. */}
      <div className="lg:order-last">
        <Card title="Your decision">
          <div className="flex flex-col gap-4">
            <p className="text-text-2">
              <Asker waiting={waiting} /> <Deadline waiting={waiting} />
            </p>
            {preview.refusal === null ? (
              <>
                <Stake waiting={waiting} preview={preview} />
                <ApproveForm
                  action={approveAction}
                  orderId={line.id}
                  proof={await loadProof(session, "approve")}
                  label={line.action === "BUY" ? "Approve and buy" : "Approve and sell"}
                />
              </>
            ) : (
              <Callout tone="warn" title="It can’t be approved now">
                {preview.refusal}
              </Callout>
            )}
            <DeclineForm action={declineAction} orderId={line.id} />
          </div>
        </Card>
      </div>
      <Card title="Order">
        <OrderOptions order={line} />
        <WaitingTerms waiting={waiting} preview={preview} />
      </Card>
    </div>
  );
}

function Deadline({ waiting: { until } }: PartProps) {
  return (
    <>
      Expires{" "}
      <span aria-hidden="true" className="print:hidden">
        in{" "}
      </span>
      <TimeUntil at={until} now={Date.now()} />, without a trade.
    </>
  );
}

/** Shows the stake as one figure: the most that a buy costs, or the price of a sell at this moment. */
function Stake({
  waiting: { line, mostUsdc },
  preview,
}: PartProps & { preview: z.input<typeof ApprovalPreview> }) {
  const isBuy = line.action === "BUY";
  return (
    <p className="flex items-baseline justify-between gap-3 border-y border-border py-3">
      <span className="text-text-2">{isBuy ? "You pay at most" : "You receive now"}</span>
      <span className="text-title">
        <Money usdc={isBuy ? mostUsdc : preview.total} />
      </span>
    </p>
  );
}

function Asker({ waiting: { key, line } }: PartProps) {
  return (
    <>
      {key === null ? (
        "An API key"
      ) : (
        <>
          The API key{" "}
          <Link href={`/keys/${key.id}`} prefetch={false} className="link">
            “{key.name}”
          </Link>
        </>
      )}{" "}
      asked for it <TimeStamp at={line.createdAt} />.
    </>
  );
}

/** The order was decided, canceled or expired, or it never had to wait. */
function Decided({ waiting: { line } }: PartProps) {
  return (
    <Callout title="This order doesn’t wait for approval">
      <Link href={`/orders/${line.id}`} prefetch={false} className="link">
        View order
      </Link>
    </Callout>
  );
}

function OtherAccount({ mode }: { mode: Mode }) {
  return (
    <Callout tone="warn" title={`This order belongs to your ${mode} account`}>
      Switch to {mode} trading in the account menu, and open this page again.
    </Callout>
  );
}
