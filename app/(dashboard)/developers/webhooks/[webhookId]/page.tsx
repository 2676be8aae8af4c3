import type { Metadata } from "next";
import { z } from "zod";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import WebhookNotFound from "@/app/(dashboard)/developers/webhooks/[webhookId]/not-found";
import {
  replayWebhookAction,
  setWebhookStatusAction,
  testWebhookAction,
} from "@/app/(dashboard)/developers/webhooks/actions";
import { loadWebhook, showNotFound } from "@/app/(dashboard)/developers/webhooks/load-webhook";
import { ActionButton } from "@/components/developers/action-button";
import { AttemptTime } from "@/components/developers/attempt-time";
import { DeliveryRefresher } from "@/components/developers/delivery-refresher";
import { DeliveryTable } from "@/components/developers/delivery-table";
import { ReplayForm } from "@/components/developers/replay-form";
import {
  FailingSince,
  WebhookState,
  WebhookTypes,
  type WebhookWire,
} from "@/components/developers/webhook-state";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { PageLinks } from "@/components/ui/page-links";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { findNextAttempt } from "@/lib/domain/delivery-queue";
import { AppError } from "@/lib/errors";
import { DeliveryList, Webhook } from "@/lib/schemas/webhooks";
import { getBacklog, getDeliveryQueue, listDeliveries } from "@/lib/webhooks/list-deliveries";
import { getLastTest, type LastTest } from "@/lib/webhooks/manage-webhooks";

export const metadata: Metadata = { title: "Webhook endpoint" };

interface Props {
  params: Promise<{ webhookId: string }>;
  searchParams: Promise<PageQuery>;
}

async function WebhookPage({ params, searchParams }: Props) {
  const { principal } = await requireSession();
  const webhook = z.encode(Webhook, await loadWebhook((await params).webhookId));
  const query = toSearchParams(await searchParams);
  const [page, queue, lastTest] = await Promise.all([
    readDeliveries(principal, webhook.id, query.get("cursor") ?? undefined),
    showNotFound(() => getDeliveryQueue(principal, webhook.id)),
    showNotFound(() => getLastTest(principal, webhook.id)),
  ]);
  const at = `/developers/webhooks/${webhook.id}`;
  return (
    <>
      <PageHeader
        title="Endpoint"
        description={<span className="font-mono text-small break-all">{webhook.url}</span>}
        actions={
          <>
            <ButtonLink href="/developers/webhooks">All endpoints</ButtonLink>
            <ButtonLink href={`${at}/edit`}>Change</ButtonLink>
            <ButtonLink href={`${at}/rotate`}>Rotate secret</ButtonLink>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <StateNote principal={principal} webhook={webhook} lastTest={lastTest} />
        <div className="grid gap-4 lg:grid-cols-2">
          <Card title="State">
            <Facts webhook={webhook} lastTest={lastTest} />
          </Card>
          <div className="grid print:hidden">
            <Card title="Actions">
              <Actions webhook={webhook} />
            </Card>
          </div>
        </div>
        <Card isFlush title="Deliveries">
          {page === null ? (
            <ErrorState
              headline="This page is no longer available."
              action={<ButtonLink href={at}>Show the newest deliveries</ButtonLink>}
            />
          ) : page.deliveries.length === 0 ? (
            <EmptyState>
              No events were sent yet. They appear here as they happen. Test messages aren’t listed.
            </EmptyState>
          ) : (
            <>
              <DeliveryRefresher nextAttemptAt={findNextAttempt(queue, page.deliveries)} />
              <DeliveryTable webhookId={webhook.id} deliveries={page.deliveries} queue={queue} />
              <PageLinks
                base={at}
                nextCursor={page.nextCursor}
                isFirst={!query.has("cursor")}
                newest="Newest deliveries"
                older="Older deliveries"
              />
            </>
          )}
        </Card>
      </div>
    </>
  );
}

export default withNotFound(WebhookPage, WebhookNotFound);

/** Returns null for an invalid cursor. */
async function readDeliveries(principal: Principal, id: string, nextCursor: string | undefined) {
  try {
    const page = await showNotFound(() => listDeliveries(principal, id, { nextCursor }));
    return z.encode(DeliveryList, page);
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return null;
    throw error;
  }
}

interface StateNoteProps {
  principal: Principal;
  webhook: WebhookWire;
  lastTest: LastTest | null;
}

/** Why an endpoint gets no events now, and how many wait for it. */
async function StateNote({ principal, webhook, lastTest }: StateNoteProps) {
  const { id, status, disabledReason, failingSince } = webhook;
  if (status === "active" && failingSince === null) return null;
  const backlog = await showNotFound(() => getBacklog(principal, id));
  const waiting = `${formatCount(backlog.events)} ${backlog.events === 1 ? "event waits" : "events wait"}`;
  if (status === "pending") {
    return (
      <Callout tone="warn" title="This endpoint gets no events yet.">
        <LastSent name="test" sent={lastTest} />
        It becomes active when it acknowledges a test message with a status of 200 to 299. {
          waiting
        }{" "}
        until then.
      </Callout>
    );
  }
  if (status === "disabled") {
    return (
      <Callout tone="danger" title="This endpoint is disabled.">
        {disabledReason ?? "You disabled it."}{" "}
        <LastSent name="attempt" sent={backlog.lastAttempt} />
        {waiting} until you resume it.
      </Callout>
    );
  }
  return (
    <Callout tone="warn" title="Deliveries are failing.">
      {failingSince !== null && (
        <>
          The first one failed <TimeStamp at={failingSince} />.{" "}
        </>
      )}
      <LastSent name="attempt" sent={backlog.lastAttempt} />
      {backlog.nextAttemptAt !== null && (
        <>
          {waiting} for the next attempt, <AttemptTime at={backlog.nextAttemptAt.toISOString()} />
          .{" "}
        </>
      )}
      After 5 days without a success the endpoint is disabled.
    </Callout>
  );
}

interface LastSentProps {
  name: "attempt" | "test";
  sent: LastTest | null;
}

/** How the endpoint responded to the last message, as a sentence. */
function LastSent({ name, sent }: LastSentProps) {
  if (sent === null) return null;
  const { at, statusCode, error } = sent;
  const when = <TimeStamp at={at.toISOString()} />;
  return statusCode === null ? (
    <>
      The last {name}, {when}, got no response: {error}{" "}
    </>
  ) : (
    <>
      The last {name}, {when}, got status {statusCode}.{" "}
    </>
  );
}

function Facts({ webhook, lastTest }: Pick<StateNoteProps, "webhook" | "lastTest">) {
  const { status, types, ordered, failingSince, lastSeq, createdAt, previousSecretEndsAt } =
    webhook;
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2">
      <dt className="text-text-2">State</dt>
      <dd>
        <WebhookState {...webhook} />
      </dd>
      <dt className="text-text-2">Events</dt>
      <dd title={types?.join(", ")}>
        <WebhookTypes types={types} />
      </dd>
      <dt className="text-text-2">Order</dt>
      <dd>{ordered ? "In order" : "Not in order"}</dd>
      {failingSince !== null && (
        <>
          <dt className="text-text-2">Failing since</dt>
          <dd>
            <FailingSince failingSince={failingSince} />
          </dd>
        </>
      )}
      {status === "active" && (
        <>
          <dt className="text-text-2">Queued up to event</dt>
          <dd className="num">{lastSeq}</dd>
        </>
      )}
      {lastTest !== null && (
        <>
          <dt className="text-text-2">Last test</dt>
          <dd>
            {lastTest.statusCode === null
              ? `No response: ${lastTest.error}`
              : `Status ${lastTest.statusCode} in ${lastTest.durationMs} ms`}{" "}
            <span className="text-text-2">
              (<TimeStamp at={lastTest.at.toISOString()} />)
            </span>
          </dd>
        </>
      )}
      <dt className="text-text-2">Created</dt>
      <dd>
        <TimeStamp at={createdAt} />
      </dd>
      {previousSecretEndsAt !== null && (
        <>
          <dt className="text-text-2">Former secret</dt>
          <dd>
            signs until <TimeStamp at={previousSecretEndsAt} isRelative={false} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Actions({ webhook: { id, status } }: { webhook: WebhookWire }) {
  const fields = { webhookId: id };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-2">
        <ActionButton
          action={testWebhookAction}
          fields={fields}
          label="Send a test"
          pendingLabel="Sending…"
        />
        <ActionButton
          action={setWebhookStatusAction}
          fields={{ ...fields, status: status === "disabled" ? "active" : "disabled" }}
          label={status === "disabled" ? "Resume" : "Disable"}
          pendingLabel={status === "disabled" ? "Sending a test…" : "Disabling…"}
        />
        <ButtonLink tone="danger" href={`/developers/webhooks/${id}/delete`}>
          Delete
        </ButtonLink>
      </div>
      {status === "active" ? (
        <ReplayForm action={replayWebhookAction} webhookId={id} />
      ) : (
        <p className="text-text-2">You can replay events once the endpoint is active.</p>
      )}
    </div>
  );
}
