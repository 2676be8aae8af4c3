import Link from "next/link";
import type { z } from "zod";
import { ScreenAndPaper } from "@/components/format/screen-and-paper";
import { BreakablePath } from "@/components/keys/breakable-path";
import { TimeStamp } from "@/components/format/time-stamp";
import { writeApostrophes } from "@/components/format/typographic";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import { formatCurl } from "@/lib/domain/curl";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import type { ApiRequest } from "@/lib/schemas/key-views";

type Request = z.input<typeof ApiRequest>;

interface Props {
  requests: readonly Request[];
  /** The names of the account's keys, by id. */
  keyNames: Record<string, string>;
  /** The API's origin, without a trailing slash. */
  origin: string;
}

/** API requests as a table, and as cards on a phone. */
export function RequestTable({ requests, keyNames, origin }: Props) {
  const head = (
    <tr>
      <HeadCell>Time</HeadCell>
      <HeadCell>Request</HeadCell>
      <HeadCell>Status</HeadCell>
      <HeadCell isNumeric>Latency</HeadCell>
      <HeadCell>Key</HeadCell>
      <HeadCell>Request id</HeadCell>
      <HeadCell>
        <span className="sr-only">Copy</span>
      </HeadCell>
    </tr>
  );
  return (
    <div className="print:text-[8pt]">
      <Table caption="Requests" head={head} hasCards>
        {requests.map((request) => (
          <RequestRow
            key={request.id}
            request={request}
            keyName={keyNames[request.keyId] ?? request.keyId}
            origin={origin}
          />
        ))}
      </Table>
      <CardList label="Requests">
        {requests.map((request) => (
          <RequestCard
            key={request.id}
            request={request}
            keyName={keyNames[request.keyId] ?? request.keyId}
            origin={origin}
          />
        ))}
      </CardList>
      {requests.some(({ takesQuery }) => takesQuery) && (
        <p className="border-t border-border px-3 py-2 text-small text-text-2 sm:px-4">
          Queries aren&rsquo;t stored, because they can contain secrets. A copied curl command has
          none.
        </p>
      )}
    </div>
  );
}

interface ItemProps {
  request: Request;
  keyName: string;
  origin: string;
}

function RequestRow({ request, keyName, origin }: ItemProps) {
  return (
    <Row>
      <Cell>
        <TimeStamp at={request.createdAt} isPrecise />
      </Cell>
      <Cell>
        <Called request={request} />
        <ErrorMeaning code={request.errorCode} />
      </Cell>
      <Cell>
        <RequestStatus status={request.status} />
      </Cell>
      <Cell isNumeric>{request.durationMs} ms</Cell>
      <Cell>
        <span title={keyName} className="block max-w-[20ch] truncate">
          {keyName}
        </span>
      </Cell>
      <Cell>
        <RequestId id={request.id} />
      </Cell>
      <Cell isNumeric>
        <CopyCurl request={request} origin={origin} />
      </Cell>
    </Row>
  );
}

function RequestCard({ request, keyName, origin }: ItemProps) {
  return (
    <li className="flex flex-col gap-1.5 px-3 py-3">
      <div className="flex items-start justify-between gap-3">
        <Called request={request} />
        <RequestStatus status={request.status} />
      </div>
      <ErrorMeaning code={request.errorCode} />
      <p className="num text-small text-text-2">
        <TimeStamp at={request.createdAt} isPrecise /> · {request.durationMs} ms · {keyName}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <RequestId id={request.id} />
        <CopyCurl request={request} origin={origin} />
      </div>
    </li>
  );
}

/** The request, which leads to its page. */
function Called({ request: { id, method, path } }: { request: Request }) {
  return (
    <Link
      href={`/keys/requests/${id}`}
      prefetch={false}
      title={path}
      className="min-w-0 font-mono text-caption wrap-anywhere hover:underline max-lg:py-2"
    >
      <span className="font-[600]">{method}</span>{" "}
      <ScreenAndPaper screen={<BreakablePath path={shortenIds(path)} />} paper={path} />
    </Link>
  );
}

/** Leaves the start of long ids out, so that the path keeps to one line: "/v1/orders/ord_…4D92E35". */
const shortenIds = (path: string): string =>
  path.replaceAll(/\/([a-z]+_|0x)?[0-9A-Za-z]{12,}([0-9A-Za-z]{7})(?=\/|$)/g, "/$1…$2");

/** The status of a response. */
export function RequestStatus({ status }: { status: number | null }) {
  if (status === null) return <Badge tone="warn">Lost</Badge>;
  return <Badge tone={chooseTone(status)}>{status}</Badge>;
}

function chooseTone(status: number): BadgeTone {
  if (status < 400) return "up";
  return status < 500 ? "warn" : "danger";
}

function ErrorMeaning({ code }: { code: Request["errorCode"] }) {
  if (code === null) return null;
  return (
    <span className="flex flex-wrap gap-x-2 text-small">
      <code className="font-mono text-caption">{code}</code>
      <span className="text-text-2" title={writeApostrophes(ERROR_GUIDE[code].retry)}>
        {writeApostrophes(ERROR_GUIDE[code].meaning)}
      </span>
    </span>
  );
}

function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code title={id} className="font-mono text-caption whitespace-nowrap">
        …{id.slice(-8)}
      </code>
      <CopyButton text={id} label={`Copy request id ${id}`} />
    </span>
  );
}

/** A request can be repeated if it has no body, or if its order's record has the body. */
function CopyCurl({ request, origin }: Omit<ItemProps, "keyName">) {
  const { method, path, id, body, hasBody } = request;
  if (hasBody && body === null) {
    return <span className="text-small whitespace-nowrap text-text-2">Body not stored</span>;
  }
  return (
    <CopyButton
      text={formatCurl({ method, url: `${origin}${path}`, body })}
      label={`Copy request ${id.slice(-8)} as curl`}
      word="curl"
    />
  );
}
