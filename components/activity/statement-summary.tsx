import type { ReactNode } from "react";
import {
  Amount,
  showTotals,
  SignedAmount,
  type ShownTotals,
} from "@/components/activity/line-parts";
import { formatCount } from "@/components/format/numbers";

interface Props {
  total: ShownTotals;
  /** Whether amounts have all six decimals. */
  isExact: boolean;
}

/** The totals of all lines that match the filters, on every page of the list. */
export function StatementSummary({ total, isExact }: Props) {
  const figures = showTotals(total, isExact);
  const amount = (usdc: number) => <Amount usdc={usdc} isExact={isExact} />;
  const signed = (usdc: number) => <SignedAmount usdc={usdc} isExact={isExact} />;
  const { opening, closing, received, paid, beforeFees, fees, change } = figures;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-border px-3 py-3 sm:flex sm:flex-wrap sm:gap-x-10 sm:px-4">
      {opening === null || closing === null ? (
        <>
          <Figure label="Lines">{formatCount(total.lines)}</Figure>
          <Figure label="Before fees">{signed(beforeFees)}</Figure>
          <Figure label="Fees">{amount(fees)}</Figure>
          <Figure label="Amount">{signed(change)}</Figure>
        </>
      ) : (
        <>
          <Figure label="Opening balance">{amount(opening)}</Figure>
          <Figure label="Money in">{signed(received)}</Figure>
          <Figure label="Money out">{signed(-paid)}</Figure>
          <Figure label="Closing balance">{amount(closing)}</Figure>
          <Figure label="Fees (included)">{amount(fees)}</Figure>
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
