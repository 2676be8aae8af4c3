import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import RequestNotFound from "@/app/(dashboard)/keys/requests/[requestId]/not-found";
import { RefusalText } from "@/components/format/refusal-text";
import { writeApostrophes } from "@/components/format/typographic";
import { TimeStamp } from "@/components/format/time-stamp";
import { RequestFields } from "@/components/keys/request-fields";
import { RequestStatus } from "@/components/keys/request-table";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { findRequest, KEPT_DAYS } from "@/lib/api/middleware/request-log";
import { listKeyNames } from "@/lib/auth/list-keys";
import { formatCurl } from "@/lib/domain/curl";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import { env } from "@/lib/env";
import type { Placement } from "@/lib/orders/read-placements";
import { Failure as FailureBody } from "@/lib/schemas/envelope";
import { ApiRequest } from "@/lib/schemas/key-views";

export const metadata: Metadata = { title: "API request" };

interface Props {
  params: Promise<{ requestId: string }>;
}

type Request = z.input<typeof ApiRequest>;

/** The page of a request in the log: its facts, its body and its response, where Ante has them. */
async function RequestPage({ params }: Props) {
  const { principal } = await requireSession();
  const { requestId } = await params;
  const [found, names] = await Promise.all([
    findRequest(principal, requestId),
    listKeyNames(principal.userId),
  ]);
  if (!found) notFound();
  const request = z.encode(ApiRequest, found.request);
  const { placement } = found;
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <code className="font-mono text-heading break-all">
              {request.method} {request.path}
            </code>
            <RequestStatus status={request.status} />
          </span>
        }
        description={<TimeStamp at={request.createdAt} isPrecise />}
        actions={
          <>
            <ButtonLink href="/keys?tab=requests">All requests</ButtonLink>
            {request.orderId !== null && (
              <ButtonLink href={`/orders/${request.orderId}`}>View order</ButtonLink>
            )}
          </>
        }
      />
      <div className="flex flex-col gap-4">
        {request.errorCode !== null && (
          <Failure code={request.errorCode} message={readMessage(request, placement)} />
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          <Card title="Request">
            <RequestFields
              request={request}
              keyName={names.get(request.keyId) ?? request.keyId}
              idempotencyKey={placement?.idempotencyKey ?? null}
            />
          </Card>
          <div className="flex min-w-0 flex-col gap-4">
            <Card title="Body" actions={<Repeat request={request} />}>
              <Body request={request} />
            </Card>
            <Card title="Response">
              <Response request={request} placement={placement} />
            </Card>
          </div>
        </div>
      </div>
    </>
  );
}

export default withNotFound(RequestPage, RequestNotFound);

interface FailureProps {
  code: NonNullable<Request["errorCode"]>;
  /** The message of the response; null if it isn't stored. */
  message: string | null;
}

/** Explains an error: the response's message, or the usual cause, and whether to send the request again. */
function Failure({ code, message }: FailureProps) {
  const { meaning, cause, retry } = ERROR_GUIDE[code];
  return (
    <Callout tone="warn" title={writeApostrophes(meaning)}>
      <p>{message === null ? writeApostrophes(cause) : <RefusalText message={message} />}</p>
      <p className="mt-1 text-text-2">
        Send it again? {writeApostrophes(retry)}{" "}
        <Link href={`/docs/errors#${code}`} prefetch={false} className="link font-mono">
          {code}
        </Link>
      </p>
    </Callout>
  );
}

/** A request can be repeated if it has no body, or if its order's record has the body. */
function Repeat({ request }: { request: Request }) {
  const { method, path, body, hasBody, takesQuery } = request;
  if (hasBody && body === null) return null;
  const curl = formatCurl({ method, url: `${env().NEXTAUTH_URL}${path}`, body });
  return (
    <span className="flex items-center gap-2">
      {takesQuery && (
        <span className="text-small whitespace-nowrap text-text-2">Query not stored</span>
      )}
      <CopyButton text={curl} label="Copy as curl" hasText />
    </span>
  );
}

function Body({ request: { body, hasBody, takesQuery } }: { request: Request }) {
  if (body !== null) return <CodeBlock label="body" code={indent(body)} isWrapped />;
  return (
    <p className="text-text-2">
      {hasBody
        ? "Not stored. Ante stores the fields of placed orders only: the body of a refused request can contain anything, also secrets."
        : takesQuery
          ? "This request has no body. Its query is not stored, because queries can contain secrets."
          : "This request has no body."}
    </p>
  );
}

interface ResponseProps {
  request: Request;
  placement: Placement | null;
}

function Response({ request: { status, errorCode }, placement }: ResponseProps) {
  const answer = findAnswer(status, placement);
  if (answer !== null) {
    return (
      <>
        {status === null && <p className="mb-3 text-text-2">A simulated fault dropped it.</p>}
        <CodeBlock label="response" code={indent(answer.body)} isWrapped />
        <p className="mt-3 text-small text-text-2">
          Stored with the idempotency key: the same request returns it again and places nothing.
        </p>
      </>
    );
  }
  return (
    <p className="text-text-2">
      {status === null
        ? "A simulated fault dropped the response."
        : errorCode === null
          ? `Status ${status}. Ante stores the responses of placed orders only.`
          : `Status ${status} with ${errorCode}.`}{" "}
      The log has the last {KEPT_DAYS} days.
    </p>
  );
}

/** A repeated request can have had another response while the order's outcome was unknown. */
function findAnswer(status: number | null, placement: Placement | null) {
  const answer = placement?.answer ?? null;
  return answer !== null && (status === null || status === answer.status) ? answer : null;
}

function readMessage({ status, message }: Request, placement: Placement | null): string | null {
  if (message !== null) return message;
  const answer = findAnswer(status, placement);
  const refusal = FailureBody.safeParse(answer === null ? null : JSON.parse(answer.body));
  return refusal.success ? refusal.data.error.message : null;
}

const indent = (json: string) => JSON.stringify(JSON.parse(json), null, 2);
