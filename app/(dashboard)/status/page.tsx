import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { type BooksCheck, checkBooks, findLastBooksCheck } from "@/lib/ops/books-check";
import { getStatus, type ServiceStatus } from "@/lib/ops/get-status";
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
  const isChecking = (await searchParams).check !== undefined;
  const [status, check] = await Promise.all([
    getStatus(),
    isChecking ? checkBooks() : findLastCheck(),
  ]);
  return (
    <>
      <PageHeader
        title="Status"
        description="Service health and ledger integrity."
        actions={<ButtonLink href="/status">Reload</ButtonLink>}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <ServiceCard status={status} mode={principal.mode} />
        <BooksCard check={check} />
      </div>
    </>
  );
}

/** Returns null on failure, because the status page must also work while the database is down. */
async function findLastCheck(): Promise<BooksCheck | null> {
  return findLastBooksCheck().catch(() => null);
}

function ServiceCard({ status, mode }: { status: ServiceStatus; mode: string }) {
  const { isHealthy, storage, venues, marketData, frozenAt, contract, time, version } = status;
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
          <Callout tone="danger" title="You can't place orders right now">
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
          ["Server time", <TimeStamp key="time" at={time.toISOString()} isRelative={false} />],
          ["Version", version],
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

function BooksCard({ check }: { check: BooksCheck | null }) {
  return (
    <Card title="Ledger" actions={check && <CheckBadge problems={check.problems} />}>
      <p className="mb-4 text-text-2">
        The check recomputes every balance from its ledger entries, every position from its fills
        and every locked dollar from its pair of shares, across the whole service. It runs every ten
        minutes and alerts the operator if anything doesn&rsquo;t match.
      </p>
      {check && (
        <div className="mb-4 flex flex-col gap-4">
          {check.problems > 0 && (
            <Callout tone="danger" title="The ledger has mismatches">
              The operator can run <code>npm run admin -- verify</code> for details.
            </Callout>
          )}
          <Facts
            facts={[
              ["Ledger entries", formatCount(check.transfers)],
              ["Ledger accounts", formatCount(check.accounts)],
              ["Orders", formatCount(check.orders)],
              ["Mismatches", formatCount(check.problems)],
              ["Checked", <TimeStamp key="at" at={check.at.toISOString()} />],
            ]}
          />
        </div>
      )}
      <ButtonLink href="/status?check=1" tone="primary">
        {check ? "Check again" : "Check now"}
      </ButtonLink>
    </Card>
  );
}

function CheckBadge({ problems }: { problems: number }) {
  return problems === 0 ? (
    <Badge tone="up">No mismatches</Badge>
  ) : (
    <Badge tone="danger">{formatCount(problems)} mismatches</Badge>
  );
}

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
