"use client";

import { showReserved } from "@/components/format/sums";
import { Money, Shares } from "@/components/format/values";
import type { Initial } from "@/lib/browser/use-live";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

interface Props {
  totals: OpenOrdersWire["totals"];
  /** The account's figures; null while they are unknown. */
  summary: Initial<AccountSummaryWire> | null;
}

/** The cash and the shares that open orders hold: "$179.46 in buys, 20 shares in sells". Zero is left out. */
export function HeldFunds({ totals: { buys, sells }, summary }: Props) {
  return (
    <>
      {(buys > 0 || sells === 0) && (
        <>
          <HeldCash usdc={buys} summary={summary} /> in buys
        </>
      )}
      {buys > 0 && sells > 0 && ", "}
      {sells > 0 && (
        <>
          <Shares shares={sells} /> {sells === 1 ? "share" : "shares"} in sells
        </>
      )}
    </>
  );
}

interface CashProps extends Pick<Props, "summary"> {
  usdc: number;
}

/** The cash that open buys hold. If it is all that the account reserves, it has the cents of the wallet. */
function HeldCash({ usdc, summary }: CashProps) {
  return summary === null ? (
    <Money usdc={usdc} />
  ) : (
    <PartOfReserved usdc={usdc} summary={summary} />
  );
}

function PartOfReserved({ usdc, summary }: { usdc: number; summary: Initial<AccountSummaryWire> }) {
  const figures = useSummaryFigures(summary);
  return <Money usdc={usdc === figures.reservedUsdc ? showReserved(figures) : usdc} />;
}
