import type { Metadata } from "next";
import { z } from "zod";
import { readAccountFigures } from "@/app/_lib/read-account-figures";
import { requireSession } from "@/app/_lib/require-session";
import { claimAction } from "@/app/(dashboard)/_positions/actions";
import { PositionsPanel } from "@/app/(dashboard)/_positions/positions-panel";
import { modeTitle } from "@/components/shell/mode-badge";
import { formatUtc } from "@/components/format/times";
import { AccountStats } from "@/components/portfolio/account-stats";
import { EquityCard } from "@/components/portfolio/equity-card";
import { FundingCard } from "@/components/portfolio/funding-card";
import { NewestOrders } from "@/components/portfolio/newest-orders";
import { parsePositionView } from "@/components/portfolio/position-view";
import { RedemptionCallout } from "@/components/portfolio/redemption-callout";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { PageHeader } from "@/components/ui/page-header";
import type { Principal } from "@/lib/auth/principal";
import { Portfolio } from "@/lib/schemas/account";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { OpenOrdersView } from "@/lib/schemas/dashboard-orders";
import { EquityCurve, EquityRange, RedemptionReceipt } from "@/lib/schemas/portfolio";
import { getBalance } from "@/lib/accounts/get-balance";
import { getTickSizes } from "@/lib/markets/get-market";
import { getOpenOrdersView } from "@/lib/orders/list-open-orders";
import { findRedemption } from "@/lib/portfolio/find-redemption";
import { getEquityCurve } from "@/lib/portfolio/get-equity-curve";
import { getDataTime, mergeOutages, withStaleReads } from "@/lib/stale-reads";

/** A layout's title template doesn't apply to the page in the same folder. */
export async function generateMetadata(): Promise<Metadata> {
  const { principal } = await requireSession();
  return { title: { absolute: `Portfolio · Ante ${modeTitle(principal.mode)}` } };
}

export default async function PortfolioPage({ searchParams }: PageProps<"/">) {
  const { principal } = await requireSession();
  const query = await searchParams;
  const range = EquityRange.catch("1d").parse(query["range"]);
  const claimed = query["claimed"];
  const [read, curve, orders, redemption] = await Promise.all([
    readAccount(principal),
    withStaleReads(() => getEquityCurve(principal, range)),
    getOpenOrdersView(principal, {}),
    withStaleReads(async () =>
      typeof claimed === "string" ? findRedemption(principal, claimed) : null,
    ),
  ]);
  const view = parsePositionView(query);
  const now = Date.now();
  const account = read.isKnown ? read.value : null;
  const age = { at: getDataTime(read.outage), isMarked: read.outage !== null };
  return (
    <>
      <PageHeader title="Portfolio" />
      <RefreshOnAccountChange />
      <WithoutScript now={now} />
      {account && read.outage && <OutageNote outage={read.outage} />}
      {redemption.isKnown && redemption.value && (
        <RedemptionCallout receipt={z.encode(RedemptionReceipt, redemption.value)} />
      )}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-4">
          {read.isKnown ? (
            <AccountStats initial={{ data: read.value.figures, ...age }} />
          ) : (
            <OutageCard outage={read.outage} what="Positions and value" />
          )}
          {curve.isKnown && curve.value && (
            <EquityCard curve={z.encode(EquityCurve, curve.value)} view={view} />
          )}
        </div>
        <aside
          aria-label="Orders and funding"
          className={`flex-col gap-4 lg:flex ${account ? "hidden" : "flex"}`}
        >
          <NewestOrders initial={{ data: z.encode(OpenOrdersView, orders), at: now }} />
          {account && (
            <FundingCard
              mode={principal.mode}
              funderAddress={account.funderAddress}
              netDeposits={account.figures.netDeposits}
            />
          )}
        </aside>
      </div>
      {account && (
        <div className="mt-4">
          <PositionsPanel
            initial={{ data: account.portfolio, ...age }}
            ticks={account.ticks}
            view={view}
            range={range}
            claim={claimAction}
          />
        </div>
      )}
    </>
  );
}

/** Reads the account, with stale data during a venue outage. */
async function readAccount(principal: Principal) {
  const figures = await readAccountFigures(principal);
  if (!figures.isKnown) return figures;
  const { portfolio, summary } = figures.value;
  const markets = portfolio.positions.map(({ conditionId }) => conditionId);
  const details = await withStaleReads(async () => ({
    funderAddress: (await getBalance(principal)).funderAddress,
    ticks: await getTickSizes(principal, markets),
  }));
  if (!details.isKnown) return details;
  return {
    isKnown: true as const,
    outage: mergeOutages(figures.outage, details.outage),
    value: {
      portfolio: z.encode(Portfolio, portfolio),
      figures: z.encode(AccountSummary, summary),
      ...details.value,
    },
  };
}

function WithoutScript({ now }: { now: number }) {
  return (
    <noscript>
      <p className="mb-4 text-small text-text-2">
        Updated {formatUtc(new Date(now).toISOString())}. Without JavaScript, this page
        doesn&rsquo;t update.{" "}
        <a href="/" className="link">
          Reload
        </a>
      </p>
    </noscript>
  );
}
