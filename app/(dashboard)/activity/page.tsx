import { Download, Printer } from "lucide-react";
import type { Metadata } from "next";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import { RecordOutage } from "@/app/(dashboard)/record-outage";
import { StatementHead } from "@/app/(dashboard)/activity/statement-head";
import { PrintButton } from "@/components/activity/print-button";
import { StatementFilters } from "@/components/activity/statement-filters";
import {
  buildStatementHref,
  buildStatementQuery,
  isFiltered,
  type StatementView,
} from "@/components/activity/statement-href";
import {
  chooseStyle,
  type ShownTotals,
  showTotals,
  type StatementStyle,
} from "@/components/activity/line-parts";
import { StatementSummary } from "@/components/activity/statement-summary";
import {
  hasRoundedLine,
  StatementCards,
  type StatementMonth,
  StatementTable,
} from "@/components/activity/statement-table";
import { formatCount } from "@/components/format/numbers";
import { formatZone } from "@/components/format/times";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState, ErrorState } from "@/components/ui/states";
import { getStatementSheet, type StatementPage } from "@/lib/activity/list-statement";
import { parseStatementQuery, toStatementFilter } from "@/lib/activity/statement-query";
import type { Principal } from "@/lib/auth/principal";
import { now } from "@/lib/clock";
import { toMonth } from "@/lib/domain/days";
import { AppError } from "@/lib/errors";
import { StatementSheet } from "@/lib/schemas/statement";
import type { Mode } from "@/lib/venue/port";

export const metadata: Metadata = { title: "Activity" };

const PAGE_LINES = 50;
/** The most lines of a statement on paper. */
const PRINTED_LINES = 500;

export default async function ActivityPage({ searchParams }: PageProps<"/activity">) {
  const { principal } = await requireSession();
  const query = await searchParams;
  const read = (name: string) => {
    const value = query[name];
    return typeof value === "string" ? value : undefined;
  };
  const view = { ...parseStatementQuery(read), isExact: read("exact") === "1" };
  const isForPrint = read("print") === "1";
  const { zone } = await getDisplay();
  const cursor = isForPrint ? undefined : read("cursor");
  const limit = isForPrint ? PRINTED_LINES : PAGE_LINES;
  const sheet = await readSheet(principal, view, { cursor, limit }, zone);
  return (
    <>
      <div className="print:hidden">
        <PageHeader
          title={isForPrint ? "Statement" : "Activity"}
          description={`Every change to your cash balance. Times in ${formatZone(zone)}.`}
          actions={isForPrint ? <PrintActions view={view} /> : <Actions view={view} zone={zone} />}
        />
        <RecordOutage principal={principal} />
      </div>
      <RefreshOnAccountChange />
      <StatementHead view={view} zone={zone} lines={sheet && describeLines(sheet, cursor)} />
      <Card isFlush>
        {!isForPrint && (
          <StatementFilters
            view={view}
            zone={zone}
            month={toMonth(new Date(now()).toISOString(), zone)}
          />
        )}
        {sheet === null ? (
          <BadCursor view={view} />
        ) : (
          <Sheet
            sheet={sheet}
            view={view}
            isForPrint={isForPrint}
            cursor={cursor}
            zone={zone}
            mode={principal.mode}
          />
        )}
      </Card>
    </>
  );
}

function Actions({ view, zone }: { view: StatementView; zone: string }) {
  const exported = buildStatementQuery({ ...view, isExact: false }, { zone });
  return (
    <>
      <ButtonLink href="/activity/proof">Ledger proof</ButtonLink>
      <ButtonLink href={`/activity?${buildStatementQuery(view, { print: "1" })}`}>
        <Printer aria-hidden="true" className="size-4" /> Statement
      </ButtonLink>
      <a
        href={`/api/ui/activity.csv?${exported}`}
        download
        className="link inline-flex min-h-11 items-center gap-2 lg:min-h-9"
      >
        <Download aria-hidden="true" className="size-4" />
        <span>
          <span className="max-sm:sr-only">Export</span> CSV
        </span>
      </a>
    </>
  );
}

function PrintActions({ view }: { view: StatementView }) {
  return (
    <>
      <ButtonLink href={buildStatementHref(view)}>Back to activity</ButtonLink>
      <PrintButton />
    </>
  );
}

type StatementSheetWire = z.input<typeof StatementSheet>;

/** Returns a page of the statement; null for an invalid cursor. */
async function readSheet(
  principal: Principal,
  view: ReturnType<typeof parseStatementQuery>,
  page: StatementPage,
  zone: string,
): Promise<StatementSheetWire | null> {
  try {
    const filter = toStatementFilter(view, zone);
    return z.encode(StatementSheet, await getStatementSheet(principal, filter, page, zone));
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_CURSOR") return null;
    throw error;
  }
}

interface SheetProps {
  sheet: StatementSheetWire;
  view: StatementView;
  isForPrint: boolean;
  /** The page of the list; undefined for the first one. */
  cursor: string | undefined;
  zone: string;
  mode: Mode;
}

function Sheet({ sheet, view, isForPrint, cursor, zone, mode }: SheetProps) {
  const { lines, total, nextCursor } = sheet;
  if (total === null || lines.length === 0) return <Nothing view={view} mode={mode} />;
  const months = toMonths(sheet, zone);
  const style = chooseStyle(total, view.isExact);
  const place = { print: isForPrint ? "1" : "", cursor: cursor ?? "" };
  const otherHref = buildStatementHref(view, { isExact: !view.isExact }, place);
  return (
    <>
      <StatementSummary total={total} style={style} otherHref={otherHref} />
      <StatementTable months={months} style={style} zoneName={formatZone(zone)} />
      <StatementCards months={months} style={style} />
      <footer className="border-t border-border p-3 text-small text-text-2 sm:px-4">
        {nextCursor !== null && (
          <Older view={view} isForPrint={isForPrint} cursor={nextCursor} shown={lines.length} />
        )}
        <p>{describeStyle(style, isRounded(total, months))}</p>
      </footer>
    </>
  );
}

interface OlderProps {
  view: StatementView;
  isForPrint: boolean;
  cursor: string;
  shown: number;
}

/** Leads to the next page. A statement for paper has no further pages and says so. */
function Older({ view, isForPrint, cursor, shown }: OlderProps) {
  return (
    <>
      {!isForPrint && (
        <p className="mb-3 text-center print:hidden">
          <ButtonLink href={`/activity?${buildStatementQuery(view, { cursor })}`}>
            Older activity
          </ButtonLink>
        </p>
      )}
      <p className={`mb-1 ${isForPrint ? "" : "hidden print:block"}`}>
        Showing the newest {shown} lines. Totals include older lines.
      </p>
    </>
  );
}

/** Whether a total, a month or a line shows a rounding. */
const isRounded = (total: ShownTotals, months: readonly StatementMonth[]) =>
  showTotals(total, false).rounding !== 0 || hasRoundedLine(months);

function describeStyle({ isExact, hasRounding }: StatementStyle, showsRounding: boolean): string {
  if (isExact) return "Exact amounts, to a millionth of a dollar.";
  const rule =
    "Each amount is rounded to the nearest cent, and totals from their exact sums, so they can be some cents " +
    "off the sum of the lines. Amounts include the fee.";
  if (!hasRounding || !showsRounding) return rule;
  return `${rule} Rounding is the cent that is left between rounded amounts and the balances around them.`;
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
      Your deposits, trades and payouts appear here.
    </EmptyState>
  );
}

function BadCursor({ view }: { view: StatementView }) {
  const first = <ButtonLink href={buildStatementHref(view)}>Show the newest</ButtonLink>;
  return <ErrorState headline="This page is no longer available." action={first} />;
}

/** Returns the lines on the page of all that match, in words; null if all are on it. */
function describeLines(
  { lines, total, nextCursor }: StatementSheetWire,
  cursor: string | undefined,
): string | null {
  if (total === null || (nextCursor === null && cursor === undefined)) return null;
  const shown = formatCount(lines.length);
  const which = cursor === undefined ? `The newest ${shown}` : `${shown} older ones`;
  return `${which} of ${formatCount(total.lines)}`;
}

/** Groups lines by month in the user's time zone. */
function toMonths({ lines, months }: StatementSheetWire, zone: string): StatementMonth[] {
  return months.map((totals) => ({
    totals,
    lines: lines.filter(({ createdAt }) => toMonth(createdAt, zone) === totals.month),
  }));
}
