import Link from "next/link";
import type { z } from "zod";
import { ScreenAndPaper } from "@/components/format/screen-and-paper";
import { BreakablePath } from "@/components/keys/breakable-path";
import { formatCount } from "@/components/format/numbers";
import { TimeRange } from "@/components/format/time-range";
import { writeApostrophes } from "@/components/format/typographic";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { CardList, Cell, HeadCell, Row, Table } from "@/components/ui/table";
import { formatCurl } from "@/lib/domain/curl";
import { ERROR_GUIDE } from "@/lib/domain/error-guide";
import type { ApiRequest, ApiRequestRun } from "@/lib/schemas/key-views";

type Request = z.input<typeof ApiRequest>;
type Run = z.input<typeof ApiRequestRun>;

interface Props {
  /** Runs of equal requests; a request alone is a run of one. */
  runs: readonly Run[];
  /** The log's URL, with its filters. */
  base: string;
  /** The names of the account's keys, by id. */
  keyNames: Record<string, string>;
  /** The API's origin, without a trailing slash. */
  origin: string;
}

/** API requests as a table, and as cards on a phone. A run of equal ones is one row that leads to them. */
export function RequestTable({ runs, base, keyNames, origin }: Props) {
  const items = runs.map((run) => ({
    run,
    runHref: run.count === 1 ? null : `${base}&run=${encodeURIComponent(run.key)}`,
    keyName: keyNames[run.newest.keyId] ?? run.newest.keyId,
    origin,
  }));
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
        {items.map((item) => (
          <RequestRow key={item.run.oldestId} {...item} />
        ))}
      </Table>
      <CardList label="Requests">
        {items.map((item) => (
          <RequestCard key={item.run.oldestId} {...item} />
        ))}
      </CardList>
      {runs.some(({ newest }) => newest.takesQuery) && (
        <p className="border-t border-border px-3 py-2 text-small text-text-2 sm:px-4">
          Queries aren&rsquo;t stored, because they can contain secrets. A copied curl command has
          none.
        </p>
      )}
    </div>
  );
}

interface ItemProps {
  run: Run;
  /** The list of a run's requests; null for a request alone. */
  runHref: string | null;
  keyName: string;
  origin: string;
}

function RequestRow({ run, runHref, keyName, origin }: ItemProps) {
  const { newest } = run;
  return (
    <Row>
      <Cell>
        <TimeRange from={run.firstAt} to={newest.createdAt} />
      </Cell>
      <Cell>
        <Called run={run} runHref={runHref} />
        <ErrorMeaning code={newest.errorCode} />
      </Cell>
      <Cell>
        <RequestStatus status={newest.status} />
      </Cell>
      <Cell isNumeric>
        <Latency run={run} />
      </Cell>
      <Cell>
        <span title={keyName} className="block max-w-[20ch] truncate">
          {keyName}
        </span>
      </Cell>
      <Cell>
        <RequestId run={run} runHref={runHref} />
      </Cell>
      <Cell isNumeric>
        <CopyCurl request={newest} origin={origin} />
      </Cell>
    </Row>
  );
}

function RequestCard({ run, runHref, keyName, origin }: ItemProps) {
  const { newest } = run;
  return (
    <li className="flex flex-col gap-1.5 px-3 py-3">
      <div className="flex items-start justify-between gap-3">
        <Called run={run} runHref={runHref} />
        <RequestStatus status={newest.status} />
      </div>
      <ErrorMeaning code={newest.errorCode} />
      <p className="num text-small text-text-2">
        <TimeRange from={run.firstAt} to={newest.createdAt} /> · <Latency run={run} /> · {keyName}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <RequestId run={run} runHref={runHref} />
        <CopyCurl request={newest} origin={origin} />
      </div>
    </li>
  );
}

function Latency({ run: { fastestMs, slowestMs } }: Pick<ItemProps, "run">) {
  return fastestMs === slowestMs ? `${slowestMs} ms` : `${fastestMs}–${slowestMs} ms`;
}

type RunProps = Pick<ItemProps, "run" | "runHref">;

/** The request, which leads to its page, or to the requests of its run. An underline would hide its underscores. */
function Called({ run, runHref }: RunProps) {
  const { id, method, path } = run.newest;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2">
      <Link
        href={runHref ?? `/keys/requests/${id}`}
        prefetch={false}
        title={path}
        className="min-w-0 font-mono text-caption wrap-anywhere text-accent hover:underline max-lg:py-2"
      >
        <span className="font-[600]">{method}</span>{" "}
        <ScreenAndPaper screen={<BreakablePath path={shortenIds(path)} />} paper={path} />
      </Link>
      {runHref !== null && (
        <Badge>
          <span aria-hidden="true">×{formatCount(run.count)}</span>
          <span className="sr-only">{formatCount(run.count)} equal requests</span>
        </Badge>
      )}
    </span>
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

function RequestId({ run, runHref }: RunProps) {
  if (runHref !== null) {
    return (
      <Link
        href={runHref}
        prefetch={false}
        className="link inline-flex min-h-11 items-center text-small whitespace-nowrap lg:min-h-7 print:hidden"
      >
        Show all {formatCount(run.count)}
      </Link>
    );
  }
  const { id } = run.newest;
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
function CopyCurl({ request, origin }: { request: Request; origin: string }) {
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
