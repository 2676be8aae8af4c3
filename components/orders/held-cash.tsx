"use client";

import { showReserved } from "@/components/format/sums";
import { Money } from "@/components/format/values";
import type { Initial } from "@/lib/browser/use-live";
import { type AccountSummaryWire, useSummaryFigures } from "@/lib/browser/use-summary";

interface Props {
  /** The cash that some open buys hold. */
  usdc: number;
  /** The account's figures; null while they are unknown. */
  summary: Initial<AccountSummaryWire> | null;
}

/** The cash that open buys hold. If it is all that the account reserves, it has the cents of the wallet. */
export function HeldCash({ usdc, summary }: Props) {
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
