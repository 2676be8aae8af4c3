"use client";

import type { ReactNode } from "react";
import { toPercentOf } from "@/components/format/sums";
import { DirectionValue, Money } from "@/components/format/values";
import type { Initial } from "@/lib/browser/use-live";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

interface Props {
  initial: Initial<AccountSummaryWire>;
  /** Shown after the profit. */
  children?: ReactNode;
}

/** The page's heading: the account's value, and its profit since the account began. */
export function AccountValue({ initial, children }: Props) {
  const { portfolioValue, totalPnl, netDeposits } = useSummaryFigures(initial);
  return (
    <>
      <p className="num text-display break-words lg:text-[2.5rem] lg:leading-11">
        <span className="sr-only">Portfolio value </span>
        <Money usdc={portfolioValue} />
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 sm:min-h-10 sm:justify-start">
        <p className="text-small sm:text-body">
          <DirectionValue usdc={totalPnl} percent={toPercentOf(totalPnl, netDeposits)} />{" "}
          <span className="text-text-2">all time</span>
        </p>
        {children}
      </div>
    </>
  );
}
