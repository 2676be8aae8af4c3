import { z } from "zod";
import { pickQuery } from "@/app/_lib/search-params";
import { formatCount } from "@/components/format/numbers";
import { KeyFilter } from "@/components/keys/key-filter";
import { RequestLogRefresher } from "@/components/keys/request-log-refresher";
import { RequestTable } from "@/components/keys/request-table";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FilterForm, FilterInput, FilterSelect } from "@/components/ui/filter-form";
import { PageLinks } from "@/components/ui/page-links";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type ApiRequestList, ApiRequestRuns } from "@/lib/schemas/key-views";
import { listKeyNames } from "@/lib/auth/list-keys";
import {
  KEPT_DAYS,
  KEPT_REQUESTS,
  listRequestRuns,
  listRequests,
} from "@/lib/api/middleware/request-log";

const LOG = "/keys?tab=requests";
const FILTERS = ["status", "key", "path", "request"] as const;
const CLASSES = { "2xx": 2, "4xx": 4, "5xx": 5, lost: "lost" } as const;
const STATUSES = [
  { value: "2xx", label: "Succeeded (2xx)" },
  { value: "4xx", label: "Rejected (4xx)" },
  { value: "5xx", label: "Failed (5xx)" },
  { value: "lost", label: "Response lost (simulated)" },
] as const;

interface Props {
  principal: Principal;
  query: URLSearchParams;
}

/** The log of API requests with the account's keys. */
export async function RequestsTab({ principal, query }: Props) {
  const [page, names] = await Promise.all([
    readPage(principal, query),
    listKeyNames(principal.userId),
  ]);
  const filters = pickQuery(query, FILTERS);
  const log = filters === "" ? LOG : `${LOG}&${filters}`;
  const run = query.get("run");
  const base = run === null ? log : `${log}&run=${encodeURIComponent(run)}`;
  return (
    <div className="flex flex-col gap-4">
      {!query.has("cursor") && run === null && <RequestLogRefresher />}
      {(filters !== "" || (page?.runs.length ?? 0) > 0) && (
        <FilterForm
          action="/keys"
          label="Filter requests"
          fixed={{ tab: "requests" }}
          clearHref={filters === "" ? undefined : LOG}
        >
          <FilterSelect
            label="Status"
            name="status"
            all="Any status"
            value={query.get("status") ?? ""}
            options={STATUSES}
          />
          <KeyFilter names={names} value={query.get("key") ?? ""} />
          <FilterInput label="Path" name="path" type="search" value={query.get("path") ?? ""} />
          <FilterInput
            label="Request id"
            name="request"
            type="search"
            value={query.get("request") ?? ""}
          />
        </FilterForm>
      )}
      <Card
        isFlush
        title={run === null ? "Requests" : "Equal requests"}
        actions={
          run === null ? (
            <span className="text-small text-text-2">
              Last {KEPT_DAYS} days, up to {formatCount(KEPT_REQUESTS)} requests
            </span>
          ) : (
            <ButtonLink size="small" href={log}>
              All requests
            </ButtonLink>
          )
        }
      >
        {page === null ? (
          <ErrorState
            headline="This page is no longer available."
            action={<ButtonLink href={log}>Show the newest requests</ButtonLink>}
          />
        ) : page.runs.length === 0 ? (
          <NoRequests isFiltered={filters !== ""} />
        ) : (
          <>
            <RequestTable
              runs={page.runs}
              base={log}
              keyNames={Object.fromEntries(names)}
              origin={env().NEXTAUTH_URL}
            />
            <PageLinks
              base={base}
              nextCursor={page.nextCursor}
              isFirst={!query.has("cursor")}
              newest="Newest requests"
              older="Older requests"
            />
          </>
        )}
      </Card>
    </div>
  );
}

/** Reads the runs of the log, or the requests of one run. Returns null for an invalid cursor. */
async function readPage(principal: Principal, query: URLSearchParams) {
  const status = query.get("status") ?? "";
  const filter = {
    id: query.get("request") ?? undefined,
    keyId: query.get("key") ?? undefined,
    path: query.get("path") ?? undefined,
    statusClass: isClass(status) ? CLASSES[status] : undefined,
    nextCursor: query.get("cursor") ?? undefined,
  };
  const run = query.get("run");
  try {
    const page =
      run === null
        ? await listRequestRuns(principal, filter)
        : toRuns(await listRequests(principal, { ...filter, run }));
    return z.encode(ApiRequestRuns, page);
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return null;
    throw error;
  }
}

/** Shows each request by itself. */
const toRuns = ({ requests, nextCursor }: z.output<typeof ApiRequestList>) => ({
  runs: requests.map((request) => ({
    newest: request,
    count: 1,
    oldestId: request.id,
    firstAt: request.createdAt,
    fastestMs: request.durationMs,
    slowestMs: request.durationMs,
    key: "",
  })),
  nextCursor,
});

const isClass = (text: string): text is keyof typeof CLASSES => Object.hasOwn(CLASSES, text);

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState action={<ButtonLink href={LOG}>Clear filters</ButtonLink>}>
        No requests match these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<ButtonLink href="/docs">API reference</ButtonLink>}>
      No requests in the last {KEPT_DAYS} days. Requests made with your keys appear here within a
      second.
    </EmptyState>
  );
}
