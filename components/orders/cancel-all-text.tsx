import { HeldFunds } from "@/components/orders/held-funds";
import type { Initial } from "@/lib/browser/use-live";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";
import type { AccountSummaryWire } from "@/lib/browser/use-summary";

interface Props {
  totals: OpenOrdersWire["totals"];
  /** The account's figures; null while they are unknown. */
  summary: Initial<AccountSummaryWire> | null;
}

/** The funds that canceling all orders releases, and a warning about fills in between. */
export function CancelAllText({ totals, summary }: Props) {
  return (
    <p>
      <HeldFunds totals={totals} summary={summary} />. Orders can still fill before they&rsquo;re
      canceled.
    </p>
  );
}
