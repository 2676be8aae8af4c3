"use client";

import Link from "next/link";
import { formatCount, formatSignedMoney } from "@/components/format/numbers";
import { showProfit } from "@/components/format/sums";
import { DirectionValue, ExactUsdc, Masked, Money, MoneyRest } from "@/components/format/values";
import { Stat, Term } from "@/components/portfolio/stat";
import type { Initial } from "@/lib/browser/use-live";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

/** Value, cash, profit and open orders, each with its calculation. */
export function AccountStats({ initial }: { initial: Initial<AccountSummaryWire> }) {
  const data = useSummaryFigures(initial);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Stat
        label="Portfolio value"
        isMain
        explanation={
          <>
            <Term label="cash">
              <ExactUsdc usdc={data.balanceUsdc} />
            </Term>
            <Term label="positions at current prices" sign="+">
              <ExactUsdc usdc={data.positionsValue} />
            </Term>
            <Term label="portfolio value" sign="=">
              <ExactUsdc usdc={data.portfolioValue} />
            </Term>
          </>
        }
      >
        <Money usdc={data.portfolioValue} />
      </Stat>
      <ProfitStat data={data} />
      <CashStat data={data} />
      <OrdersStat data={data} />
    </div>
  );
}

function ProfitStat({ data }: { data: AccountSummaryWire }) {
  const parts = showProfit(data);
  return (
    <Stat
      label="Total P&L after fees"
      note={parts ? <ProfitParts parts={parts} /> : "After fees: realized and unrealized"}
      explanation={
        <>
          {data.realizedPnl !== null && (
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
            </>
          )}
          {data.netDeposits !== null && (
            <>
              <Term label="portfolio value">
                <ExactUsdc usdc={data.portfolioValue} />
              </Term>
              <Term label="deposits" sign="−">
                <ExactUsdc usdc={data.netDeposits} />
              </Term>
            </>
          )}
          <Term label="total P&L, after fees" sign="=">
            <ExactUsdc usdc={data.totalPnl} />
          </Term>
        </>
      }
    >
      <DirectionValue usdc={data.totalPnl} />
    </Stat>
  );
}

/** The parts add up to the total above, to the cent. */
function ProfitParts({ parts }: { parts: NonNullable<ReturnType<typeof showProfit>> }) {
  return (
    <>
      Realized <Masked>{formatSignedMoney(parts.realized)}</Masked>, unrealized{" "}
      <Masked>{formatSignedMoney(parts.unrealized)}</Masked> before fees; fees{" "}
      <Money usdc={parts.fees} />
    </>
  );
}

function CashStat({ data }: { data: AccountSummaryWire }) {
  return (
    <Stat
      label="Cash"
      note={
        <>
          <Money usdc={data.availableUsdc} /> available,{" "}
          <MoneyRest whole={data.balanceUsdc} part={data.availableUsdc} /> reserved
        </>
      }
      explanation={
        <>
          <Term label="available">
            <ExactUsdc usdc={data.availableUsdc} />
          </Term>
          <Term label="reserved by open buys" sign="+">
            <ExactUsdc usdc={data.reservedUsdc} />
          </Term>
          <Term label="cash" sign="=">
            <ExactUsdc usdc={data.balanceUsdc} />
          </Term>
        </>
      }
    >
      <Money usdc={data.balanceUsdc} />
    </Stat>
  );
}

function OrdersStat({ data }: { data: AccountSummaryWire }) {
  return (
    <Stat
      label="Open orders"
      note={
        <Link href="/orders" prefetch={false} className="link inline-flex min-h-6 items-center">
          See all orders
        </Link>
      }
      explanation={
        <>
          <Term label="orders that can still fill">{formatCount(data.openOrders)}</Term>
          <Term label="USDC reserved by their buys">
            <ExactUsdc usdc={data.reservedUsdc} />
          </Term>
        </>
      }
    >
      {formatCount(data.openOrders)}
    </Stat>
  );
}
