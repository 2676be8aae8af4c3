import Link from "next/link";
import type { ReactNode } from "react";
import type { z } from "zod";
import { KIND_ICONS } from "@/components/activity/kinds";
import {
  formatExactMoney,
  formatExactSignedMoney,
  formatMoney,
  formatSignedMoney,
} from "@/components/format/numbers";
import { addExactly, showCashLine, showStatementTotals } from "@/components/format/sums";
import { Masked, Price, Shares } from "@/components/format/values";
import type { StatementLine, StatementTotals } from "@/lib/schemas/statement";

export type StatementLineWire = z.input<typeof StatementLine>;
/** `part` is the change before fees in whole cents if the lines are all of a bar of the ledger proof. */
export type ShownTotals = z.input<typeof StatementTotals> & { part: number | null };

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

/** Returns the figures of a line, in whole cents that add up or exact. */
export function showLine(line: StatementLineWire, isExact: boolean) {
  const { amountUsdc: amount, feeUsdc: fee, balanceUsdc: balance } = line;
  if (!isExact) return showCashLine(line);
  return { beforeFees: addExactly(amount, fee), fee, amount, balance };
}

/** Returns the figures of a period, in whole cents that add up or exact. */
export function showTotals(totals: ShownTotals, isExact: boolean) {
  const { openingUsdc: opening, closingUsdc: closing, feesUsdc: fees } = totals;
  const { receivedUsdc: received, paidUsdc: paid } = totals;
  if (!isExact) return showStatementTotals(totals);
  const change = addExactly(received, -paid);
  const beforeFees = addExactly(change, fees);
  return { opening, closing, received, paid, beforeFees, fees, change };
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
  const text = isExact ? formatExactSignedMoney(usdc) : formatSignedMoney(usdc);
  return (
    <span className={`num whitespace-nowrap ${usdc > 0 ? "text-up" : ""}`}>
      <Masked>{text}</Masked>
    </span>
  );
}
