import { HeldFunds } from "@/components/orders/held-funds";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

interface Props {
  totals: OpenOrdersWire["totals"];
}

/** The funds that canceling all orders releases, and a warning about fills in between. */
export function CancelAllText({ totals }: Props) {
  return (
    <p>
      <HeldFunds totals={totals} />. Orders can still fill before they&rsquo;re canceled.
    </p>
  );
}
