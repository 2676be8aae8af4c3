import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { formatCount } from "@/components/format/numbers";
import { TimeStamp } from "@/components/format/time-stamp";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { Facts } from "@/components/system/facts";
import { type BooksCheck, checkBooks } from "@/lib/services/status/check-books";
import { lastBooksCheck } from "@/lib/services/status/last-books-check";
import { getStatus, type ServiceStatus } from "@/lib/services/status/get-status";

export const metadata: Metadata = { title: "Status" };

const STORAGE = {
  embedded: "Embedded database: one process, not safe against power loss",
  postgres: "Postgres server",
} as const;

const PRICES = {
  simulated: "Simulated, without a network",
  polymarket: "Polymarket's markets and order books",
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
        description="What this service runs on, and whether its books add up."
        actions={<ButtonLink href="/status">Reload</ButtonLink>}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <ServiceCard status={status} mode={principal.mode} />
        <BooksCard check={check} />
      </div>
    </>
  );
}

/** A page that tells of trouble must not fail because of it. */
async function findLastCheck(): Promise<BooksCheck | null> {
  return lastBooksCheck().catch(() => null);
}

function ServiceCard({ status, mode }: { status: ServiceStatus; mode: string }) {
  const { isHealthy, storage, venues, marketData, frozenAt, time, version } = status;
  return (
    <Card
      title="Service"
      actions={
        <Badge tone={isHealthy ? "up" : "danger"}>
          {isHealthy ? "Answering" : "Database not answering"}
        </Badge>
      }
    >
      {!isHealthy && (
        <div className="mb-4">
          <Callout tone="danger" title="Orders cannot be placed right now">
            What was placed is safe. Reload the page in a moment.
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
              "Runs"
            ) : (
              <>
                Stands still at <TimeStamp at={frozenAt} isRelative={false} />
              </>
            ),
          ],
          ["Server time", <TimeStamp key="time" at={time.toISOString()} isRelative={false} />],
          ["Version", version],
        ]}
      />
    </Card>
  );
}

function BooksCard({ check }: { check: BooksCheck | null }) {
  return (
    <Card title="Books" actions={check && <CheckBadge problems={check.problems} />}>
      <p className="mb-4 text-text-2">
        Every balance is the sum of its ledger lines, every position follows from its fills, and
        every locked dollar stands for a pair of shares. The check recomputes all of it for the
        whole service. The service does so by itself every ten minutes, and tells its operator when
        something disagrees.
      </p>
      {check && (
        <div className="mb-4 flex flex-col gap-4">
          {check.problems > 0 && (
            <Callout tone="danger" title="The books do not add up">
              The operator sees what disagrees with <code>npm run admin -- verify</code>.
            </Callout>
          )}
          <Facts
            facts={[
              ["Ledger lines", formatCount(check.transfers)],
              ["Ledger accounts", formatCount(check.accounts)],
              ["Orders", formatCount(check.orders)],
              ["Disagreements", formatCount(check.problems)],
              ["Checked", <TimeStamp key="at" at={check.at.toISOString()} />],
            ]}
          />
        </div>
      )}
      <ButtonLink href="/status?check=1" tone="primary">
        {check ? "Check the books again" : "Check the books"}
      </ButtonLink>
    </Card>
  );
}

function CheckBadge({ problems }: { problems: number }) {
  return problems === 0 ? (
    <Badge tone="up">Everything adds up</Badge>
  ) : (
    <Badge tone="danger">{formatCount(problems)} disagreements</Badge>
  );
}

const venueName = (venue: string) => (venue === "paper" ? "The paper exchange" : venue);
