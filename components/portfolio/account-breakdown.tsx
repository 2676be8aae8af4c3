"use client";

import { formatCount } from "@/components/format/numbers";
import { showTotals } from "@/components/format/sums";
import { DirectionValue, ExactUsdc, Money } from "@/components/format/values";
import { Figure, Term } from "@/components/portfolio/figure";
import type { Initial } from "@/lib/browser/use-live";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

/** The parts of the account's value and of its profit, each with its calculation. */
export function AccountBreakdown({ initial }: { initial: Initial<AccountSummaryWire> }) {
  const data = useSummaryFigures(initial);
  return (
    <section
      id="account-figures"
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

const CURRENT_PRICE =
  "A current price is the middle between the best bid and offer, or the last trade if they are more than 10¢ apart. After the result, it is the payout.";

/** All amounts of the calculations, which have the same number of decimals. */
const listAmounts = (data: AccountSummaryWire): number[] => [
  data.balanceUsdc,
  data.reservedUsdc,
  data.positionsValue,
  data.unrealizedPnl,
  data.realizedPnl ?? 0,
  data.fees ?? 0,
  data.totalPnl,
];

function CashFigures({ data }: Props) {
  const amounts = listAmounts(data);
  const positions = { value: data.positionsValue, pnl: data.unrealizedPnl };
  const cash = (
    <>
      <Term label="Cash">
        <ExactUsdc usdc={data.balanceUsdc} others={amounts} />
      </Term>
      <Term
        label={`Reserved by ${formatCount(data.openBuys)} open ${data.openBuys === 1 ? "buy" : "buys"}`}
        sign="−"
      >
        <ExactUsdc usdc={data.reservedUsdc} others={amounts} />
      </Term>
      <Term label="Available" sign="=">
        <ExactUsdc usdc={data.availableUsdc} others={amounts} />
      </Term>
    </>
  );
  return (
    <>
      <Figure label="Cash available" explanation={cash} note={ROUNDING}>
        <Money usdc={data.availableUsdc} />
      </Figure>
      <Figure label="In orders" explanation={cash} note={ROUNDING}>
        <Money usdc={data.reservedUsdc} />
      </Figure>
      <Figure
        label="Positions"
        note={`${CURRENT_PRICE} ${ROUNDING}`}
        explanation={
          <>
            <Term label="Portfolio value">
              <ExactUsdc usdc={data.portfolioValue} others={amounts} />
            </Term>
            <Term label="Cash, including funds in orders" sign="−">
              <ExactUsdc usdc={data.balanceUsdc} others={amounts} />
            </Term>
            <Term label="Positions at current prices" sign="=">
              <ExactUsdc usdc={data.positionsValue} others={amounts} />
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
      <Figure label="Realized" explanation={total} note={ROUNDING}>
        <DirectionValue usdc={data.realizedPnl} />
      </Figure>
      <Figure label="Unrealized" explanation={total} note={ROUNDING}>
        <DirectionValue usdc={data.unrealizedPnl} />
      </Figure>
      <Figure label="Fees" explanation={total} note={ROUNDING}>
        <Money usdc={data.fees} />
      </Figure>
    </>
  );
}

function TotalProfit({ data }: Props) {
  const amounts = listAmounts(data);
  if (data.realizedPnl === null) {
    return (
      <>
        <Term label="Unrealized, before fees">
          <ExactUsdc usdc={data.unrealizedPnl} others={amounts} />
        </Term>
        <Term label="Total P&L, as Polymarket reports it" sign="=">
          <ExactUsdc usdc={data.totalPnl} others={amounts} />
        </Term>
      </>
    );
  }
  return (
    <>
      <Term label="Realized, before fees">
        <ExactUsdc usdc={data.realizedPnl} others={amounts} />
      </Term>
      <Term label="Unrealized, before fees" sign="+">
        <ExactUsdc usdc={data.unrealizedPnl} others={amounts} />
      </Term>
      <Term label="Fees" sign="−">
        <ExactUsdc usdc={data.fees} others={amounts} />
      </Term>
      <Term label="Total P&L, after fees" sign="=">
        <ExactUsdc usdc={data.totalPnl} others={amounts} />
      </Term>
      {data.netDeposits !== null && (
        <>
          <Term label="Portfolio value">
            <ExactUsdc usdc={data.portfolioValue} others={amounts} />
          </Term>
          <Term label="Deposits" sign="−">
            <ExactUsdc usdc={data.netDeposits} others={amounts} />
          </Term>
          <Term label="Total P&L, after fees" sign="=">
            <ExactUsdc usdc={data.totalPnl} others={amounts} />
          </Term>
        </>
      )}
    </>
  );
}
