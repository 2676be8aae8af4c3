import type { z } from "zod";
import { Money, Shares } from "@/components/format/values";
import type { RedemptionReceipt } from "@/lib/schemas/portfolio";
import type { Mode } from "@/lib/venue/port";

interface Props {
  /** The positions that were claimed, or closed at nothing. */
  redemptions: readonly Pick<
    z.input<typeof RedemptionReceipt>,
    "outcome" | "shares" | "payoutUsdc"
  >[];
  /** The positions that are still held, none of which pays; null if they are unknown. */
  held: number | null;
  mode: Mode;
}

/**
 * The payouts of a resolved market, for an account with nothing left to claim: "You held 20 Yes and were
 * paid $20.00."
 */
export function SettledHoldings({ redemptions, held, mode }: Props) {
  if (redemptions.length === 0) return <p className="text-text-2">{describeHeld(held, mode)}</p>;
  return (
    <div className="text-text-2">
      {redemptions.map(({ outcome, shares, payoutUsdc }) => (
        <p key={outcome}>
          You held <Shares shares={shares} /> {outcome} and were paid{" "}
          {payoutUsdc === 0 ? "nothing" : <Money usdc={payoutUsdc} />}.
        </p>
      ))}
    </div>
  );
}

function describeHeld(held: number | null, mode: Mode): string {
  if (held === null) return "Your shares can't be shown right now.";
  if (held > 0) return "You held the losing outcome, so your shares pay nothing.";
  // Shares of a live wallet are claimed at the venue, so only the present is known.
  return mode === "live"
    ? "You hold no shares in this market now."
    : "You held no shares when this market was resolved.";
}
