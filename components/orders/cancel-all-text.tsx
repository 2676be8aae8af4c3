import { Shares } from "@/components/format/values";
import { HeldCash } from "@/components/orders/held-cash";
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
      <HeldCash usdc={totals.buys} summary={summary} /> in buys, <Shares shares={totals.sells} />{" "}
      shares in sells. Orders can still fill before they&rsquo;re canceled.
    </p>
  );
}
