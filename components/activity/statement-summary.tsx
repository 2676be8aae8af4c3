import Link from "next/link";
import type { ReactNode } from "react";
import {
  Amount,
  showTotals,
  SignedAmount,
  type ShownTotals,
  type StatementStyle,
} from "@/components/activity/line-parts";
import { formatCount } from "@/components/format/numbers";

interface Props {
  total: ShownTotals;
  style: StatementStyle;
  /** The same lines with the other decimals. */
  otherHref: string;
}

/** The totals of all lines that match the filters, on every page of the list. */
export function StatementSummary({ total, style: { isExact }, otherHref }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-border px-3 py-3 sm:px-4">
      <StatementFigures total={total} isExact={isExact} />
      <Link
        href={otherHref}
        prefetch={false}
        scroll={false}
        className="link inline-flex min-h-11 items-center lg:min-h-9 print:hidden"
      >
        {isExact ? "Amounts in cents" : "Exact amounts"}
      </Link>
    </div>
  );
}

/** The totals of a period: from its opening balance to its closing one, or without filtered lines. */
export function StatementFigures({ total, isExact }: { total: ShownTotals; isExact: boolean }) {
  const figures = showTotals(total, isExact);
  const { opening, closing, received, paid, beforeFees, fees, change, rounding } = figures;
  return (
    <dl className="grid w-full grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:w-auto sm:flex-wrap sm:gap-x-10">
      {opening === null || closing === null ? (
        <>
          <Figure label="Lines">{formatCount(total.lines)}</Figure>
          {beforeFees !== null && (
            <Figure label="Before fees">
              <SignedAmount usdc={beforeFees} isExact={isExact} />
            </Figure>
          )}
          <Figure label="Fees">
            <Amount usdc={fees} isExact={isExact} />
          </Figure>
          <Figure label="Amount">
            <SignedAmount usdc={change} isExact={isExact} />
          </Figure>
        </>
      ) : (
        <>
          <Figure label="Opening balance">
            <Amount usdc={opening} isExact={isExact} />
          </Figure>
          <Figure label="Money in">
            <SignedAmount usdc={received} isExact={isExact} />
          </Figure>
          <Figure label="Money out">
            <SignedAmount usdc={-paid} isExact={isExact} />
          </Figure>
          {rounding !== 0 && (
            <Figure label="Rounding">
              <SignedAmount usdc={rounding} isExact={isExact} />
            </Figure>
          )}
          <Figure label="Closing balance">
            <Amount usdc={closing} isExact={isExact} />
          </Figure>
          <Figure label="Fees (included)">
            <Amount usdc={fees} isExact={isExact} />
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
