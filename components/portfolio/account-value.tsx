"use client";

import type { ReactNode } from "react";
import { subtractExactly, toPercentOf } from "@/components/format/sums";
import { DirectionValue, Money } from "@/components/format/values";
import type { Initial } from "@/lib/browser/use-live";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

interface Props {
  initial: Initial<AccountSummaryWire>;
  /** The start of the chart's range, from which its profit is measured; null without a range. */
  base: RangeBase | null;
  /** Shown after the profit. */
  children?: ReactNode;
}

/** The start of a range. */
export interface RangeBase {
  /** The account's value at the start, and the deposits since. */
  usdc: number;
  /** "last day" */
  title: string;
}

/** The account's value, and its profit in the chart's range, or since it began. */
export function AccountValue({ initial, base, children }: Props) {
  const { portfolioValue, totalPnl, netDeposits } = useSummaryFigures(initial);
  const profit = base ? subtractExactly(portfolioValue, base.usdc) : totalPnl;
  const from = base ? base.usdc : netDeposits;
  return (
    <>
      <p className="num text-display break-words lg:text-[2.5rem] lg:leading-11">
        <span className="sr-only">Portfolio value </span>
        <Money usdc={portfolioValue} />
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 sm:min-h-10 sm:justify-start">
        <p className="text-small sm:text-body">
          <DirectionValue usdc={profit} percent={toPercentOf(profit, from)} />{" "}
          <span className="text-text-2">{base?.title ?? "all time"}</span>
        </p>
        {children}
      </div>
    </>
  );
}

/** The account's profit since it began, beside a heading whose figure has another range. */
export function AllTimeProfit({ initial }: Pick<Props, "initial">) {
  const { totalPnl } = useSummaryFigures(initial);
  return (
    <p className="text-caption text-text-2">
      <DirectionValue usdc={totalPnl} /> all time
    </p>
  );
}
