import { formatCount } from "@/components/format/numbers";
import { formatWaiting } from "@/components/orders/group-orders";
import { HeldFunds } from "@/components/orders/held-funds";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

interface Props {
  totals: OpenOrdersWire["totals"];
}

/**
 * The funds that canceling all orders releases, with how many of the orders wait for approval, and a warning about
 * fills in between.
 */
export function CancelAllText({ totals }: Props) {
  return (
    <p>
      {totals.waiting > 0 && (
        <>
          {formatCount(totals.count)} {totals.count === 1 ? "order" : "orders"}
          {formatWaiting(totals)}:{" "}
        </>
      )}
      <HeldFunds totals={totals} />. Orders can still fill before they&rsquo;re canceled.
    </p>
  );
}
