import type { Metadata } from "next";
import { z } from "zod";
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
import { SilenceNote, SilentCard } from "@/components/system/venue-silence";
import { PageHeader } from "@/components/ui/page-header";
import type { Principal } from "@/lib/auth/principal";
import { Portfolio } from "@/lib/schemas/account";
import { AccountSummary } from "@/lib/schemas/dashboard";
import { OpenOrderBoard } from "@/lib/schemas/order-views";
import { EquityCurve, EquityRange, RedemptionReceipt } from "@/lib/schemas/portfolio";
import { getBalance } from "@/lib/services/account/get-balance";
import { getTickSizes } from "@/lib/services/markets/tick-sizes";
import { readOpenOrderBoard } from "@/lib/services/orders/open-order-board";
import { findRedemption } from "@/lib/services/portfolio/find-redemption";
import { getEquityCurve } from "@/lib/services/portfolio/get-equity-curve";
import { getPortfolio } from "@/lib/services/portfolio/get-portfolio";
import { getSummary } from "@/lib/services/portfolio/get-summary";
import { showing, shownAt } from "@/lib/showing";

/** A layout's title template does not reach the page beside it. */
export async function generateMetadata(): Promise<Metadata> {
  const { principal } = await requireSession();
  return { title: { absolute: `Portfolio · Ante ${modeTitle(principal.mode)}` } };
}

export default async function PortfolioPage({ searchParams }: PageProps<"/">) {
  const { principal } = await requireSession();
  const query = await searchParams;
  const range = EquityRange.catch("1d").parse(query["range"]);
  const claimed = query["claimed"];
  const [shown, curve, orders, redemption] = await Promise.all([
    showing(() => readAccount(principal)),
    showing(() => getEquityCurve(principal, range)),
    readOpenOrderBoard(principal, {}),
    showing(async () => (typeof claimed === "string" ? findRedemption(principal, claimed) : null)),
  ]);
  const view = parsePositionView(query);
  const now = Date.now();
  const account = shown.isKnown ? shown.value : null;
  const age = { at: shownAt(shown.silence), isMarked: shown.silence !== null };
  return (
    <>
      <PageHeader title="Portfolio" />
      <WithoutScript now={now} />
      {account && shown.silence && <SilenceNote silence={shown.silence} />}
      {redemption.isKnown && redemption.value && (
        <RedemptionCallout receipt={z.encode(RedemptionReceipt, redemption.value)} />
      )}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-4">
          {shown.isKnown ? (
            <AccountStats initial={{ data: shown.value.figures, ...age }} />
          ) : (
            <SilentCard silence={shown.silence} what="What you own" />
          )}
          {curve.isKnown && curve.value && (
            <EquityCard curve={z.encode(EquityCurve, curve.value)} view={view} />
          )}
        </div>
        <aside
          aria-label="Orders and funding"
          className={`flex-col gap-4 lg:flex ${account ? "hidden" : "flex"}`}
        >
          <NewestOrders initial={{ data: z.encode(OpenOrderBoard, orders), at: now }} />
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

/** What the account has, at the venue's prices. */
async function readAccount(principal: Principal) {
  const [portfolio, summary, { funderAddress }] = await Promise.all([
    getPortfolio(principal),
    getSummary(principal),
    getBalance(principal),
  ]);
  const markets = portfolio.positions.map(({ conditionId }) => conditionId);
  return {
    portfolio: z.encode(Portfolio, portfolio),
    figures: z.encode(AccountSummary, summary),
    funderAddress,
    ticks: await getTickSizes(principal, markets),
  };
}

function WithoutScript({ now }: { now: number }) {
  return (
    <noscript>
      <p className="mb-4 text-small text-text-2">
        Updated {formatUtc(new Date(now).toISOString())}. Without JavaScript this page does not
        follow the market.{" "}
        <a href="/" className="link">
          Reload
        </a>
      </p>
    </noscript>
  );
}
