"use client";

import { useState } from "react";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { formatCount } from "@/components/format/numbers";
import { CancelAllText } from "@/components/orders/cancel-all-text";
import { formatWaiting } from "@/components/orders/group-orders";
import { HeldFunds } from "@/components/orders/held-funds";
import { CANCEL_FORM, HEADING_ID } from "@/components/orders/open-order-row";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

/** Which orders to cancel: all of them, or those of a market. */
export interface CancelScope {
  marketId: string | null;
  /** The market's title, where the page doesn't say it. */
  title: string | null;
  totals: OpenOrdersWire["totals"];
}

interface FooterProps {
  /** The market of the filter, or null. */
  market: string | null;
  /** The number of selected orders. */
  selected: number;
  /** Of all orders of the market, or of all markets. */
  totals: OpenOrdersWire["totals"];
  onAsk: () => void;
}

/** The list's footer: the total, and buttons to cancel the selected orders or, after confirmation, all. */
export function CancelFooter({ market, selected, totals, onAsk }: FooterProps) {
  // Before hydration the selection is unknown, and the button must work without JavaScript.
  const isHydrated = useHydrated();
  const handover = useFocusHandover({ kind: "cancel-all", fallbacks: [HEADING_ID] });
  const where = market === null ? "" : `?market=${encodeURIComponent(market)}`;
  return (
    <div
      {...handover}
      className="flex flex-wrap items-center justify-end gap-x-2 gap-y-2 border-t border-border bg-surface p-3 sm:px-4 md:sticky md:bottom-0 md:rounded-b-card"
    >
      <OpenTotal totals={totals} market={market} />
      <span className="hidden md:block">
        <Button type="submit" form={CANCEL_FORM} isUnavailable={isHydrated && selected === 0}>
          Cancel selected{selected > 0 ? ` (${selected})` : ""}
        </Button>
      </span>
      <ButtonLink
        tone="danger"
        href={`/orders/cancel${where}`}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.preventDefault();
          onAsk();
        }}
      >
        {market === null ? "Cancel all" : "Cancel all in this market"}
      </ButtonLink>
    </div>
  );
}

/** "Total of 12 open orders, 1 waiting for approval: $179.46 in buys, 20 shares in sells" */
function OpenTotal({ totals, market }: Pick<FooterProps, "totals" | "market">) {
  const { count } = totals;
  return (
    <p className="mr-auto">
      <span className="font-[550]">
        Total of {formatCount(count)} open {count === 1 ? "order" : "orders"}
        {market !== null && " in this market"}
        {formatWaiting(totals)}
      </span>
      : <HeldFunds totals={totals} />
    </p>
  );
}

interface DialogProps {
  /** Null while nothing is asked. */
  scope: CancelScope | null;
  onClose: () => void;
  onCancelAll: (scope: CancelScope) => Promise<void>;
}

/** Asks before all orders of a scope are canceled. */
export function CancelAllDialog({ scope, onClose, onCancelAll }: DialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async () => {
    if (scope === null) return;
    setIsBusy(true);
    await onCancelAll(scope);
    setIsBusy(false);
    onClose();
  };
  const what = scope?.totals.count === 1 ? "1 order" : `${scope?.totals.count ?? 0} orders`;
  return (
    <Dialog title={`Cancel ${what}?`} isOpen={scope !== null} onClose={onClose} isBusy={isBusy}>
      {scope !== null && (
        <>
          {scope.title !== null && <p className="mb-2 font-[550]">{scope.title}</p>}
          <CancelAllText totals={scope.totals} />
        </>
      )}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button data-autofocus disabled={isBusy} onClick={onClose}>
          Keep orders
        </Button>
        <Button tone="danger" isUnavailable={isBusy} aria-busy={isBusy} onClick={confirm}>
          {isBusy && <Spinner />}
          Cancel {what}
        </Button>
      </div>
    </Dialog>
  );
}
