import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { AccountVerdict } from "@/components/system/account-verdict";
import { BooksVerdict } from "@/components/system/books-verdict";
import { TimeStamp } from "@/components/format/time-stamp";
import { formatUtc } from "@/components/format/times";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { checkAccount } from "@/lib/activity/check-account";
import type { Principal } from "@/lib/auth/principal";
import { errorFields, log } from "@/lib/log";
import { checkBooks, readBooksState } from "@/lib/ops/books-check";
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
  // The check comes first: the state that is read afterwards includes it.
  if ((await searchParams).check !== undefined) await checkBooks();
  const [status, books, account] = await Promise.all([
    getStatus(),
    readBooksState(),
    readAccount(principal),
  ]);
  return (
    <>
      <PageHeader
        title="Status"
        description="Service health and ledger integrity."
        actions={<ButtonLink href="/status">Reload</ButtonLink>}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <BooksCard books={books} account={account} />
        <ServiceCard status={status} mode={principal.mode} />
      </div>
    </>
  );
}

type AccountCheck = Awaited<ReturnType<typeof checkAccount>>;

/** Returns null on failure, because the status page must also work while the database is down. */
async function readAccount(principal: Principal): Promise<AccountCheck | null> {
  return checkAccount(principal).catch((error: unknown) => {
    log.warn("account check failed", errorFields(error));
    return null;
  });
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
          ["Server time", formatUtc(time.toISOString())],
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

interface BooksProps {
  books: Awaited<ReturnType<typeof readBooksState>>;
  account: AccountCheck | null;
}

function BooksCard({ books, account }: BooksProps) {
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
      <BooksVerdict check={books} />
      <p className="mt-3 text-text-2">
        Ante keeps double-entry books: every balance is the sum of its transfers. All accounts are
        checked about every 10 minutes, and any mismatch is logged for the operator.
      </p>
      {account && (
        <div className="mt-4 border-t border-border pt-4">
          <h3 className="mb-1 font-[550]">Your account</h3>
          <AccountVerdict verification={account} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <ButtonLink href="/activity/proof" tone="primary">
          View ledger proof
        </ButtonLink>
        <ButtonLink href="/status?check=1">{books ? "Check again" : "Check now"}</ButtonLink>
      </div>
    </Card>
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
