import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { KIND_ICONS } from "@/components/activity/kinds";
import {
  formatExactMoney,
  formatExactSignedMoney,
  formatFullMoney,
  formatFullSignedMoney,
  formatMoney,
  formatSignedMoney,
} from "@/components/format/numbers";
import { addExactly, showCashChange, showStatementTotals } from "@/components/format/sums";
import { Masked, Price, Shares } from "@/components/format/values";
import type { StatementLine, StatementTotals } from "@/lib/schemas/statement";

export type StatementLineWire = z.input<typeof StatementLine>;
export type ShownTotals = z.input<typeof StatementTotals>;

/** "Bought 160.31 Yes at 62.4¢", linked to its order. */
export function LineSentence({ line }: { line: StatementLineWire }) {
  const Icon = KIND_ICONS[line.kind];
  const sentence = <Sentence line={line} />;
  return (
    <span className="inline-flex items-center gap-2">
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

/** How many decimals an amount has: two, as many as it needs, or six. */
type Decimals = "cents" | "full" | "six";

/** The decimals of a statement's figures. */
export interface StatementDecimals {
  /** Of fees and of amounts before fees, which are exact, so that lines add up to their totals. */
  trades: Decimals;
  /** Of amounts and their totals. In cents, they are differences of shown balances. */
  amounts: Decimals;
  balances: Decimals;
}

/**
 * Chooses the decimals of a statement. If a filter leaves lines out, amounts are not the differences of
 * the shown balances, and cents would not add up to the totals.
 */
export function chooseDecimals(total: ShownTotals, isExact: boolean): StatementDecimals {
  if (isExact) return { trades: "six", amounts: "six", balances: "six" };
  const amounts = isUnbroken(total) ? "cents" : "full";
  return { trades: "full", amounts, balances: "cents" };
}

type UnbrokenTotals = ShownTotals & { openingUsdc: number; closingUsdc: number };

const isUnbroken = (totals: ShownTotals): totals is UnbrokenTotals =>
  totals.openingUsdc !== null && totals.closingUsdc !== null;

/** Returns the figures of a line. */
export function showLine(line: StatementLineWire, { amounts }: StatementDecimals) {
  const { amountUsdc, feeUsdc: fee, balanceUsdc: balance } = line;
  const amount = amounts === "cents" ? showCashChange(line) : amountUsdc;
  return { beforeFees: addExactly(amountUsdc, fee), fee, amount, balance };
}

/** Returns the figures of a period. Each is the sum of its lines' figures. */
export function showTotals(totals: ShownTotals, { amounts }: StatementDecimals) {
  const { openingUsdc: opening, closingUsdc: closing, feesUsdc: fees } = totals;
  const { receivedUsdc: received, paidUsdc: paid } = totals;
  const exact = addExactly(received, -paid);
  const shared = { opening, closing, fees, beforeFees: addExactly(exact, fees) };
  if (amounts === "cents" && isUnbroken(totals))
    return { ...shared, ...showStatementTotals(totals) };
  return { ...shared, received, paid, change: exact };
}

interface AmountProps {
  usdc: number;
  decimals: Decimals;
}

const FORMATS = { cents: formatMoney, full: formatFullMoney, six: formatExactMoney };
const SIGNED_FORMATS = {
  cents: formatSignedMoney,
  full: formatFullSignedMoney,
  six: formatExactSignedMoney,
};

/** An amount without a sign: a balance or a fee. */
export function Amount({ usdc, decimals }: AmountProps) {
  return <Masked>{FORMATS[decimals](usdc)}</Masked>;
}

/** A signed amount. Only income is green, since spending is not a loss. */
export function SignedAmount({ usdc, decimals }: AmountProps) {
  return (
    <span className={`num whitespace-nowrap ${usdc > 0 ? "text-up" : ""}`}>
      <Masked>{SIGNED_FORMATS[decimals](usdc)}</Masked>
    </span>
  );
}
