import { Download } from "lucide-react";
import type { Metadata } from "next";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { RecordOutage } from "@/app/(dashboard)/record-outage";
import type { StatementLineWire } from "@/components/activity/line-parts";
import { StatementFilters } from "@/components/activity/statement-filters";
import {
  isFiltered,
  buildStatementQuery,
  type StatementView,
} from "@/components/activity/statement-href";
import {
  StatementCards,
  type StatementDay,
  StatementTable,
} from "@/components/activity/statement-table";
import { formatDay, formatZone } from "@/components/format/times";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState, ErrorState } from "@/components/ui/states";
import type { Principal } from "@/lib/auth/principal";
import type { Mode } from "@/lib/venue/port";
import { AppError } from "@/lib/errors";
import { Statement } from "@/lib/schemas/statement";
import { listStatement } from "@/lib/activity/list-statement";
import { parseStatementQuery, toStatementFilter } from "@/lib/activity/statement-query";

export const metadata: Metadata = { title: "Activity" };

const PAGE_LINES = 50;

export default async function ActivityPage({ searchParams }: PageProps<"/activity">) {
  const { principal } = await requireSession();
  const query = await searchParams;
  const read = (name: string) => {
    const value = query[name];
    return typeof value === "string" ? value : undefined;
  };
  const view = parseStatementQuery(read);
  const { zone } = await getDisplay();
  const filter = toStatementFilter(view, zone);
  const page = await readPage(principal, filter, read("cursor"));
  return (
    <>
      <PageHeader
        title="Activity"
        description={`Every change to your cash balance. Times in ${formatZone(zone)}.`}
        actions={
          <a
            href={`/api/ui/activity.csv?${buildStatementQuery(view, { zone })}`}
            download
            className="link inline-flex min-h-11 items-center gap-2 lg:min-h-9"
          >
            <Download aria-hidden="true" className="size-4" /> Export CSV
          </a>
        }
      />
      <RefreshOnAccountChange />
      <RecordOutage principal={principal} />
      <Card isFlush>
        <StatementFilters view={view} zone={zone} />
        {page === null ? (
          <BadCursor view={view} />
        ) : (
          <Lines page={page} view={view} zone={zone} mode={principal.mode} />
        )}
      </Card>
    </>
  );
}

type StatementWire = z.input<typeof Statement>;

/** Returns a page of the statement; null for an invalid cursor. */
async function readPage(
  principal: Principal,
  filter: ReturnType<typeof toStatementFilter>,
  cursor: string | undefined,
): Promise<StatementWire | null> {
  try {
    const page = await listStatement(principal, filter, { limit: PAGE_LINES, cursor });
    return z.encode(Statement, page);
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return null;
    throw error;
  }
}

interface LinesProps {
  page: StatementWire;
  view: StatementView;
  zone: string;
  mode: Mode;
}

function Lines({ page, view, zone, mode }: LinesProps) {
  if (page.lines.length === 0) return <Nothing view={view} mode={mode} />;
  const days = toDays(page.lines, zone);
  return (
    <>
      <StatementTable days={days} />
      <StatementCards days={days} />
      {page.nextCursor !== null && (
        <p className="border-t border-border p-3 text-center">
          <ButtonLink href={`/activity?${buildStatementQuery(view, { cursor: page.nextCursor })}`}>
            Older activity
          </ButtonLink>
        </p>
      )}
    </>
  );
}

function Nothing({ view, mode }: { view: StatementView; mode: Mode }) {
  if (isFiltered(view)) {
    const clear = (
      <ButtonLink href="/activity" scroll={false}>
        Clear filters
      </ButtonLink>
    );
    return <EmptyState action={clear}>No activity matches these filters.</EmptyState>;
  }
  if (mode === "live") {
    return (
      <EmptyState action={<ButtonLink href="/orders?tab=history">Order history</ButtonLink>}>
        Activity isn&rsquo;t available for live wallets, because money can move in and out without
        Ante. See your trades in the order history and everything else on Polymarket.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
      Fills, deposits and claims appear here.
    </EmptyState>
  );
}

function BadCursor({ view }: { view: StatementView }) {
  const first = (
    <ButtonLink href={`/activity?${buildStatementQuery(view)}`}>Show the newest</ButtonLink>
  );
  return <ErrorState headline="This page is no longer available." action={first} />;
}

/** Groups lines by day in the user's time zone. */
function toDays(lines: readonly StatementLineWire[], zone: string): StatementDay[] {
  const days = new Map<string, StatementLineWire[]>();
  for (const line of lines) {
    const day = formatDay(line.createdAt, zone);
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  return [...days].map(([day, ofDay]) => ({ day, lines: ofDay }));
}
