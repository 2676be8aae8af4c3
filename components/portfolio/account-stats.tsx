"use client";

import Link from "next/link";
import { formatCount } from "@/components/format/numbers";
import { DirectionValue, ExactUsdc, Money, MoneyRest } from "@/components/format/values";
import { Stat, Term } from "@/components/portfolio/stat";
import type { Initial } from "@/lib/client/use-live";
import type { AccountSummaryWire } from "@/lib/client/use-summary";
import { useSummaryFigures } from "@/lib/client/use-summary-figures";

/** Value, cash, profit and open orders. Each shows the sum it comes from, to the micro-unit. */
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
  return (
    <Stat
      label="Total P&L"
      note="Realized and unrealized, fees included"
      explanation={
        <>
          {data.netDeposits !== null && (
            <>
              <Term label="portfolio value">
                <ExactUsdc usdc={data.portfolioValue} />
              </Term>
              <Term label="paid in" sign="−">
                <ExactUsdc usdc={data.netDeposits} />
              </Term>
            </>
          )}
          <Term label="total P&L" sign="=">
            <ExactUsdc usdc={data.totalPnl} />
          </Term>
        </>
      }
    >
      <DirectionValue usdc={data.totalPnl} />
    </Stat>
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
          <Term label="orders that may still fill">{formatCount(data.openOrders)}</Term>
          <Term label="USDC that their buys reserve">
            <ExactUsdc usdc={data.reservedUsdc} />
          </Term>
        </>
      }
    >
      {formatCount(data.openOrders)}
    </Stat>
  );
}
