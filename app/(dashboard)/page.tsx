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
import { PageHeader } from "@/components/ui/page-header";
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
  const [portfolio, summary, curve, orders, { funderAddress }, redemption] = await Promise.all([
    getPortfolio(principal),
    getSummary(principal),
    getEquityCurve(principal, range),
    readOpenOrderBoard(principal, {}),
    getBalance(principal),
    typeof claimed === "string" ? findRedemption(principal, claimed) : null,
  ]);
  const markets = portfolio.positions.map(({ conditionId }) => conditionId);
  const ticks = await getTickSizes(principal, markets);
  const view = parsePositionView(query);
  const at = Date.now();
  const figures = z.encode(AccountSummary, summary);
  return (
    <>
      <PageHeader title="Portfolio" />
      <noscript>
        <p className="mb-4 text-small text-text-2">
          Updated {formatUtc(new Date(at).toISOString())}. Without JavaScript this page does not
          follow the market.{" "}
          <a href="/" className="link">
            Reload
          </a>
        </p>
      </noscript>
      {redemption && <RedemptionCallout receipt={z.encode(RedemptionReceipt, redemption)} />}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-4">
          <AccountStats initial={{ data: figures, at }} />
          {curve && <EquityCard curve={z.encode(EquityCurve, curve)} view={view} />}
        </div>
        <aside aria-label="Orders and funding" className="hidden flex-col gap-4 lg:flex">
          <NewestOrders initial={{ data: z.encode(OpenOrderBoard, orders), at }} />
          <FundingCard
            mode={principal.mode}
            funderAddress={funderAddress}
            netDeposits={figures.netDeposits}
          />
        </aside>
      </div>
      <div className="mt-4">
        <PositionsPanel
          initial={{ data: z.encode(Portfolio, portfolio), at }}
          ticks={ticks}
          view={view}
          range={range}
          claim={claimAction}
        />
      </div>
    </>
  );
}
