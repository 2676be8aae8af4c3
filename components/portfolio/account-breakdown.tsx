"use client";

import { formatCount } from "@/components/format/numbers";
import { showTotals } from "@/components/format/sums";
import { DirectionValue, ExactUsdc, Money, MoneyRest } from "@/components/format/values";
import { Figure, Term } from "@/components/portfolio/figure";
import type { Initial } from "@/lib/browser/use-live";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

/** The parts of the account's value and of its profit, each with its calculation. */
export function AccountBreakdown({ initial }: { initial: Initial<AccountSummaryWire> }) {
  const data = useSummaryFigures(initial);
  return (
    <section
      aria-label="Account figures"
      className="relative -mx-3 grid grid-cols-3 sm:mx-0 sm:flex sm:flex-wrap"
    >
      <CashFigures data={data} />
      <ProfitFigures data={data} />
    </section>
  );
}

interface Props {
  data: AccountSummaryWire;
}

const ROUNDING =
  "These amounts are exact. In cents, each figure is rounded by itself, so the parts can add up to a cent or two more or less than their total.";

function CashFigures({ data }: Props) {
  const positions = { value: data.positionsValue, pnl: data.unrealizedPnl };
  const cash = (
    <>
      <Term label="cash">
        <ExactUsdc usdc={data.balanceUsdc} />
      </Term>
      <Term
        label={`reserved by ${formatCount(data.openOrders)} open ${data.openOrders === 1 ? "order" : "orders"}`}
        sign="−"
      >
        <ExactUsdc usdc={data.reservedUsdc} />
      </Term>
      <Term label="available" sign="=">
        <ExactUsdc usdc={data.availableUsdc} />
      </Term>
    </>
  );
  return (
    <>
      <Figure label="Cash available" explanation={cash}>
        <Money usdc={data.availableUsdc} />
      </Figure>
      <Figure label="In orders" explanation={cash}>
        <MoneyRest whole={data.balanceUsdc} part={data.availableUsdc} />
      </Figure>
      <Figure
        label="Positions"
        isWideOnly
        note={ROUNDING}
        explanation={
          <>
            <Term label="portfolio value">
              <ExactUsdc usdc={data.portfolioValue} />
            </Term>
            <Term label="cash, including funds in orders" sign="−">
              <ExactUsdc usdc={data.balanceUsdc} />
            </Term>
            <Term label="positions at current prices" sign="=">
              <ExactUsdc usdc={data.positionsValue} />
            </Term>
          </>
        }
      >
        <Money usdc={showTotals([positions]).value} />
      </Figure>
    </>
  );
}

/** The parts of the total profit. Each is rounded by itself, so it never changes with the others. */
function ProfitFigures({ data }: Props) {
  const total = <TotalProfit data={data} />;
  return (
    <>
      <Figure label="Realized" isWideOnly explanation={total} note={ROUNDING}>
        <DirectionValue usdc={data.realizedPnl} />
      </Figure>
      <Figure label="Unrealized" isWideOnly explanation={total} note={ROUNDING}>
        <DirectionValue usdc={data.unrealizedPnl} />
      </Figure>
      <Figure label="Fees" explanation={total} note={ROUNDING}>
        <Money usdc={data.fees} isPaid />
      </Figure>
    </>
  );
}

function TotalProfit({ data }: Props) {
  if (data.realizedPnl === null) {
    return (
      <>
        <Term label="unrealized, before fees">
          <ExactUsdc usdc={data.unrealizedPnl} />
        </Term>
        <Term label="total P&L, as Polymarket reports it" sign="=">
          <ExactUsdc usdc={data.totalPnl} />
        </Term>
      </>
    );
  }
  return (
    <>
      <Term label="realized, before fees">
        <ExactUsdc usdc={data.realizedPnl} />
      </Term>
      <Term label="unrealized, before fees" sign="+">
        <ExactUsdc usdc={data.unrealizedPnl} />
      </Term>
      <Term label="fees" sign="−">
        <ExactUsdc usdc={data.fees} />
      </Term>
      <Term label="total P&L, after fees" sign="=">
        <ExactUsdc usdc={data.totalPnl} />
      </Term>
      {data.netDeposits !== null && (
        <>
          <Term label="portfolio value">
            <ExactUsdc usdc={data.portfolioValue} />
          </Term>
          <Term label="deposits" sign="−">
            <ExactUsdc usdc={data.netDeposits} />
          </Term>
          <Term label="total P&L, after fees" sign="=">
            <ExactUsdc usdc={data.totalPnl} />
          </Term>
        </>
      )}
    </>
  );
}
