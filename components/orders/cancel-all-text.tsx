import { Money, Shares } from "@/components/format/values";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

/** The funds that canceling all orders releases, and a warning about fills in between. */
export function CancelAllText({ totals }: { totals: OpenOrdersWire["totals"] }) {
  return (
    <p>
      <Money usdc={totals.buys} /> in buys, <Shares shares={totals.sells} /> shares in sells. Orders
      can still fill before they&rsquo;re canceled.
    </p>
  );
}
