import { Money, Shares } from "@/components/format/values";
import type { OpenOrderBoardWire } from "@/lib/client/use-open-orders";

/** What canceling everything sets free, and what may still happen on the way. */
export function CancelAllText({ totals }: { totals: OpenOrderBoardWire["totals"] }) {
  return (
    <p>
      <Money usdc={totals.buys} isPaid /> in buys, <Shares shares={totals.sells} /> shares in sells.
      Orders may fill before they are canceled.
    </p>
  );
}
