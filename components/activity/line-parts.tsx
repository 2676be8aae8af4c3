import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { chooseIcon } from "@/components/activity/kinds";
import {
  formatExactMoney,
  formatExactSignedMoney,
  formatMoney,
  formatSignedMoney,
} from "@/components/format/numbers";
import { addExactly, showCashLine, showCashTotals } from "@/components/format/sums";
import { Masked, Price, Shares } from "@/components/format/values";
import type { StatementLine, StatementTotals } from "@/lib/schemas/statement";

export type StatementLineWire = z.input<typeof StatementLine>;
export type ShownTotals = z.input<typeof StatementTotals>;

/** "Bought 160.31 Yes at 62.4¢", linked to its order. */
export function LineSentence({ line }: { line: StatementLineWire }) {
  const Icon = chooseIcon(line);
  const sentence = <Sentence line={line} />;
  return (
    <span className="inline-flex items-center gap-2 font-[550] md:min-w-48">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-text-2" />
      {line.orderId === null ? (
        <span>{sentence}</span>
      ) : (
        <Link href={`/orders/${line.orderId}`} prefetch={false} className="hover:underline">
          {sentence}
        </Link>
      )}
    </span>
  );
}

function Sentence({ line }: { line: StatementLineWire }): ReactNode {
  const { kind, market, shares, price } = line;
  if (kind === "deposit" || !market) return "Paper deposit";
  const size = (
    <>
      <Shares shares={shares} /> {market.outcome}
    </>
  );
  if (kind === "split" || kind === "merge") {
    return (
      <>
        {kind === "split" ? "Split into" : "Merged"} <Shares shares={shares} /> of each outcome
      </>
    );
  }
  if (kind === "claim") {
    if (price === 0) return <>Settled {size} at $0.00</>;
    return (
      <>
        Payout for {size} at {formatMoney(price)}
      </>
    );
  }
  return (
    <>
      {kind === "buy" ? "Bought" : "Sold"} {size} at{" "}
      <Price price={price} tickSize={market.tickSize} />
    </>
  );
}

/** How a statement shows its amounts. All of them have the same decimals. */
export interface StatementStyle {
  /** Whether amounts have all six decimals instead of cents. */
  isExact: boolean;
  /** Whether lines have the cent between an amount and its balances. */
  hasRounding: boolean;
}

/** Chooses the style. If a filter leaves lines out, the balances between them are missing. */
export function chooseStyle(
  { openingUsdc, closingUsdc }: ShownTotals,
  isExact: boolean,
): StatementStyle {
  return { isExact, hasRounding: !isExact && openingUsdc !== null && closingUsdc !== null };
}

/** Returns the figures of a line. Only exact ones add up with the amount before fees. */
export function showLine(line: StatementLineWire, isExact: boolean) {
  const { amountUsdc: amount, feeUsdc: fee, balanceUsdc: balance } = line;
  if (!isExact) return { ...showCashLine(line), beforeFees: null, balance };
  return { beforeFees: addExactly(amount, fee), fee, amount, rounding: 0, balance };
}

/** Returns the figures of a period. */
export function showTotals(totals: ShownTotals, isExact: boolean) {
  const { openingUsdc: opening, closingUsdc: closing, feesUsdc: fees } = totals;
  if (!isExact) return { opening, closing, ...showCashTotals(totals), beforeFees: null };
  const { receivedUsdc: received, paidUsdc: paid } = totals;
  const change = addExactly(received, -paid);
  const beforeFees = addExactly(change, fees);
  return { opening, closing, received, paid, change, fees, rounding: 0, beforeFees };
}

interface AmountProps {
  usdc: number;
  isExact: boolean;
}

/** An amount without a sign: a balance or a fee. */
export function Amount({ usdc, isExact }: AmountProps) {
  return <Masked>{isExact ? formatExactMoney(usdc) : formatMoney(usdc)}</Masked>;
}

/** A signed amount. Only income is green, since spending is not a loss. */
export function SignedAmount({ usdc, isExact }: AmountProps) {
  return (
    <span className={`num whitespace-nowrap ${usdc > 0 ? "text-up" : ""}`}>
      <Masked>{isExact ? formatExactSignedMoney(usdc) : formatSignedMoney(usdc)}</Masked>
    </span>
  );
}
