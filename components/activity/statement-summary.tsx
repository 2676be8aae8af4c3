import type { ReactNode } from "react";
import {
  Amount,
  showTotals,
  SignedAmount,
  type ShownTotals,
  type StatementDecimals,
} from "@/components/activity/line-parts";
import { formatCount } from "@/components/format/numbers";

interface Props {
  total: ShownTotals;
  decimals: StatementDecimals;
}

/** The totals of all lines that match the filters, on every page of the list. */
export function StatementSummary({ total, decimals }: Props) {
  const figures = showTotals(total, decimals);
  const { trades, amounts, balances } = decimals;
  const { opening, closing, received, paid, beforeFees, fees, change } = figures;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-border px-3 py-3 sm:flex sm:flex-wrap sm:gap-x-10 sm:px-4">
      {opening === null || closing === null ? (
        <>
          <Figure label="Lines">{formatCount(total.lines)}</Figure>
          <Figure label="Before fees">
            <SignedAmount usdc={beforeFees} decimals={trades} />
          </Figure>
          <Figure label="Fees">
            <Amount usdc={fees} decimals={trades} />
          </Figure>
          <Figure label="Amount">
            <SignedAmount usdc={change} decimals={amounts} />
          </Figure>
        </>
      ) : (
        <>
          <Figure label="Opening balance">
            <Amount usdc={opening} decimals={balances} />
          </Figure>
          <Figure label="Money in">
            <SignedAmount usdc={received} decimals={amounts} />
          </Figure>
          <Figure label="Money out">
            <SignedAmount usdc={-paid} decimals={amounts} />
          </Figure>
          <Figure label="Closing balance">
            <Amount usdc={closing} decimals={balances} />
          </Figure>
          <Figure label="Fees (included)">
            <Amount usdc={fees} decimals={trades} />
          </Figure>
        </>
      )}
    </dl>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd className="num font-[550]">{children}</dd>
    </div>
  );
}
