import type { Metadata } from "next";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import WebhookNotFound from "@/app/(dashboard)/developers/webhooks/[webhookId]/not-found";
import { resendDeliveryAction } from "@/app/(dashboard)/developers/webhooks/actions";
import { showNotFound } from "@/app/(dashboard)/developers/webhooks/load-webhook";
import { ActionButton } from "@/components/developers/action-button";
import { DeliveryRefresher } from "@/components/developers/delivery-refresher";
import { DeliveryState, type DeliveryWire } from "@/components/developers/delivery-table";
import { NextAttempt } from "@/components/developers/next-attempt";
import { TimeStamp } from "@/components/format/time-stamp";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { formatCurlPost } from "@/lib/domain/curl";
import { type DeliveryQueue, findNextAttempt } from "@/lib/domain/delivery-queue";
import { AccountEvent } from "@/lib/schemas/events";
import { Delivery } from "@/lib/schemas/webhooks";
import { type DeliveryDetail, getDelivery, getDeliveryQueue } from "@/lib/webhooks/list-deliveries";

export const metadata: Metadata = { title: "Webhook delivery" };

interface Props {
  params: Promise<{ webhookId: string; deliveryId: string }>;
}

async function DeliveryPage({ params }: Props) {
  const { principal } = await requireSession();
  const { webhookId, deliveryId } = await params;
  const [found, queue] = await showNotFound(() =>
    Promise.all([
      getDelivery(principal, webhookId, deliveryId),
      getDeliveryQueue(principal, webhookId),
    ]),
  );
  const { request, ...rest } = found;
  const delivery = z.encode(Delivery, rest);
  const orderId = findOrderId(request.body);
  return (
    <>
      <PageHeader
        title={`${delivery.type}, event ${delivery.seq}`}
        description={
          <>
            <DeliveryState delivery={delivery} />{" "}
            <span className="font-mono text-caption break-all">{delivery.id}</span>
          </>
        }
        actions={
          <>
            {orderId !== null && <ButtonLink href={`/orders/${orderId}`}>View order</ButtonLink>}
            <ButtonLink href={`/developers/webhooks/${webhookId}`}>View endpoint</ButtonLink>
            <ActionButton
              action={resendDeliveryAction}
              fields={{ webhookId, deliveryId }}
              label="Send again"
              pendingLabel="Sending…"
            />
          </>
        }
      />
      <DeliveryRefresher nextAttemptAt={findNextAttempt(queue, [delivery])} />
      <div className="flex flex-col gap-4">
        <Card title="Attempts">
          <Attempts webhookId={webhookId} delivery={delivery} queue={queue} />
        </Card>
        <Card title="Request">
          <Request request={request} />
        </Card>
      </div>
    </>
  );
}

export default withNotFound(DeliveryPage, WebhookNotFound);

/** Returns the id of the order that a delivered event is about; null for other events, and for those of an older form. */
function findOrderId(body: string): string | null {
  const data = AccountEvent.safeParse(JSON.parse(body)).data?.data ?? {};
  if ("order" in data) return data.order.id;
  return "fill" in data ? data.fill.orderId : null;
}

interface AttemptsProps {
  webhookId: string;
  delivery: DeliveryWire;
  queue: DeliveryQueue;
}

function Attempts({ webhookId, delivery, queue }: AttemptsProps) {
  const { attemptCount, nextAttemptAt } = delivery;
  const attempts = delivery.attempts.toReversed();
  const former = attempts.slice(attemptCount);
  return (
    <div className="flex flex-col gap-4">
      {nextAttemptAt !== null && (
        <p>
          <NextAttempt webhookId={webhookId} delivery={delivery} queue={queue} isNamed />
        </p>
      )}
      {attempts.length === 0 && <EmptyState>Not sent yet.</EmptyState>}
      {attemptCount > 0 && <AttemptList attempts={attempts.slice(0, attemptCount)} />}
      {former.length > 0 && (
        <>
          <h3 className="font-[550]">Before it was sent again</h3>
          <AttemptList attempts={former} />
        </>
      )}
    </div>
  );
}

const AttemptList = ({ attempts }: Pick<DeliveryWire, "attempts">) => (
  <ol className="flex flex-col gap-4">
    {attempts.map((attempt) => (
      <li key={attempt.at} className="flex flex-col gap-1.5">
        <p>
          <TimeStamp at={attempt.at} isPrecise />:{" "}
          {attempt.statusCode === null ? attempt.error : `status ${attempt.statusCode}`} after{" "}
          <span className="whitespace-nowrap">{attempt.durationMs} ms</span>
        </p>
        {attempt.answer !== null && attempt.answer !== "" && (
          <CodeBlock label="response" code={attempt.answer} />
        )}
      </li>
    ))}
  </ol>
);

function Request({ request: { url, headers, body } }: Pick<DeliveryDetail, "request">) {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const readable = JSON.stringify(JSON.parse(body), null, 2);
  return (
    <div className="flex flex-col gap-3">
      <CodeBlock label="request" code={[`POST ${url}`, ...lines, "", readable].join("\n")} />
      {headers !== null && (
        <details>
          <summary className="link inline-flex min-h-11 cursor-pointer items-center lg:min-h-7">
            As curl
          </summary>
          <p className="mb-2 text-small text-text-2">
            With the signature of the last attempt, which receivers accept for five minutes.
          </p>
          <CodeBlock label="curl command" code={formatCurlPost({ url, headers, body })} />
        </details>
      )}
    </div>
  );
}
