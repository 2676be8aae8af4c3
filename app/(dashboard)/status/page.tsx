import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { RequestSummaryCard } from "@/app/(dashboard)/status/request-summary";
import { CheckedDays } from "@/components/system/checked-days";
import { AccountVerdict } from "@/components/system/account-verdict";
import { BooksVerdict } from "@/components/system/books-verdict";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { checkAccount } from "@/lib/activity/check-account";
import { countOpenMarkets } from "@/lib/markets/count-open";
import type { CheckedDay } from "@/lib/domain/checked-days";
import { errorFields, log } from "@/lib/log";
import { checkBooks, readBooksState, readCheckedDays } from "@/lib/ops/books-check";
import { getStatus, type ServiceStatus } from "@/lib/ops/get-status";
import { summarizeRequests } from "@/lib/api/middleware/summarize-requests";
import type { Mode } from "@/lib/venue/port";
import type { ReactNode } from "react";

export const metadata: Metadata = { title: "Status" };

const STORAGE = {
  embedded: "Embedded database (one process, data can be lost in a power failure)",
  postgres: "Postgres server",
} as const;

const PRICES = {
  simulated: "Simulated",
  polymarket: "Polymarket markets and order books",
} as const;

interface Props {
  searchParams: Promise<{ check?: string }>;
}

export default async function StatusPage({ searchParams }: Props) {
  const { principal } = await requireSession();
  // The check comes first: the state that is read afterwards includes it.
  if ((await searchParams).check !== undefined) await checkBooks();
  const [status, books, days, account, requests, openMarkets] = await Promise.all([
    getStatus(),
    readBooksState(),
    readOrNull("days of checks", readCheckedDays),
    readOrNull("account check", () => checkAccount(principal)),
    readOrNull("request summary", () => summarizeRequests(principal.userId)),
    countOpenMarkets(principal.mode),
  ]);
  return (
    <>
      <PageHeader
        title="Status"
        description="Service health and ledger integrity."
        actions={<ButtonLink href="/status">Reload</ButtonLink>}
      />
      <div className="flex flex-col gap-4">
        <BooksCard books={books} days={days ?? []} at={status.time} account={account} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <ServiceCard status={status} mode={principal.mode} openMarkets={openMarkets} />
          {requests && <RequestSummaryCard summary={requests} />}
        </div>
      </div>
    </>
  );
}

/** Returns null on failure, because the status page must also work while the database is down. */
async function readOrNull<T>(what: string, read: () => Promise<T>): Promise<T | null> {
  return read().catch((error: unknown) => {
    log.warn(`${what} failed`, errorFields(error));
    return null;
  });
}

interface ServiceProps {
  status: ServiceStatus;
  mode: Mode;
  openMarkets: number | null;
}

function ServiceCard({ status, mode, openMarkets }: ServiceProps) {
  const { isHealthy, storage, venues, marketData, frozenAt, contract } = status;
  return (
    <Card
      title="Service"
      actions={
        <Badge tone={isHealthy ? "up" : "danger"}>
          {isHealthy ? "Operational" : "Database unavailable"}
        </Badge>
      }
    >
      {!isHealthy && (
        <div className="mb-4">
          <Callout tone="danger" title="You can&rsquo;t place orders right now">
            Your existing orders are safe. Reload this page in a moment.
          </Callout>
        </div>
      )}
      {contract?.verdict === "unknown" && (
        <div className="mb-4">
          <Callout tone="danger" title="Live orders are paused">
            <p>
              Polymarket changed its API. Cancels and account data still work. The operator can run{" "}
              <code>npm run venue:check</code> for details.
            </p>
            <ul className="mt-1 list-disc pl-5">
              {contract.differences.map((difference) => (
                <li key={difference}>{difference}</li>
              ))}
            </ul>
          </Callout>
        </div>
      )}
      <Facts
        facts={[
          ["Storage", STORAGE[storage]],
          ["Your account", mode === "paper" ? "Paper money" : "Real money"],
          ["Orders trade on", venues.map(venueName).join(", ")],
          ["Paper prices", PRICES[marketData]],
          [
            "Open markets",
            openMarkets === null ? "The exchange isn’t responding" : formatCount(openMarkets),
          ],
          [
            "Market clock",
            frozenAt === null ? (
              "Running"
            ) : (
              <>
                Stopped at <TimeStamp at={frozenAt} isRelative={false} />
              </>
            ),
          ],
          ...(contract === null
            ? []
            : [["Polymarket API", <ContractFact key="api" {...contract} />] as const]),
          [
            "Running since",
            <TimeStamp key="start" at={status.startedAt.toISOString()} isRelative={false} />,
          ],
          ["Server time", <Instant key="time" at={status.time} />],
          ["Version", status.version],
        ]}
      />
    </Card>
  );
}

function ContractFact({ verdict, checkedAt }: NonNullable<ServiceStatus["contract"]>) {
  if (verdict === null || checkedAt === null) return "Not checked yet";
  return (
    <>
      {verdict === "known" ? "As expected" : "Changed"}, checked{" "}
      <TimeStamp at={checkedAt.toISOString()} />
    </>
  );
}

interface BooksProps {
  books: Awaited<ReturnType<typeof readBooksState>>;
  days: readonly CheckedDay[];
  /** The time of the page. */
  at: Date;
  account: Awaited<ReturnType<typeof checkAccount>> | null;
}

/** The proof that the books balance, with the figures of the user's own account. */
function BooksCard({ books, days, at, account }: BooksProps) {
  return (
    <Card
      title="Ledger"
      actions={
        books && (
          <Badge tone={books.problems === 0 ? "up" : "danger"}>
            {books.problems === 0 ? "Balanced" : "Mismatches"}
          </Badge>
        )
      }
    >
      <div className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
        <div>
          <div className="text-heading">
            <BooksVerdict check={books} />
          </div>
          <p className="mt-3 text-text-2">
            Ante keeps double-entry books: every balance is the sum of its transfers. All accounts
            are checked about every 10 minutes, and any mismatch is logged for the operator.
          </p>
          <CheckedDays days={days} at={at} />
          <div className="mt-4 flex flex-wrap gap-2">
            <ButtonLink href="/activity/proof" tone="primary">
              View ledger proof
            </ButtonLink>
            <ButtonLink href="/status?check=1">{books ? "Check again" : "Check now"}</ButtonLink>
          </div>
        </div>
        {account && (
          <div className="max-lg:border-t max-lg:border-border max-lg:pt-4 lg:border-l lg:border-border lg:pl-10">
            <h3 className="mb-3 font-[550]">Your account</h3>
            <dl className="mb-3 grid grid-cols-3 gap-4">
              <Count label="Transfers" of={account.transfers} />
              <Count label="Balances" of={account.accounts} />
              <Count label="Mismatches" of={account.mismatches} />
            </dl>
            <AccountVerdict verification={account} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Count({ label, of }: { label: string; of: number }) {
  return (
    <div>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd className="num text-title">{formatCount(of)}</dd>
    </div>
  );
}

const Instant = ({ at }: { at: Date }) => <TimeStamp at={at.toISOString()} isPrecise />;

const venueName = (venue: string) => (venue === "paper" ? "The paper exchange" : venue);

/** A list of names and values. */
function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="divide-y divide-border">
      {facts.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2">
          <dt className="text-text-2">{name}</dt>
          <dd className="num sm:text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
