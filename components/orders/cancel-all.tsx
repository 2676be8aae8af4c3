"use client";

import { useState } from "react";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { CancelAllText } from "@/components/orders/cancel-all-text";
import { CANCEL_FORM } from "@/components/orders/open-order-row";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

interface Props {
  market: string | null;
  totals: OpenOrdersWire["totals"];
  /** The number of selected orders. */
  selected: number;
  onCancelAll: () => Promise<void>;
}

/** The list's footer, with buttons to cancel the selected orders or, after confirmation, all. */
export function CancelAll({ market, totals, selected, onCancelAll }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  // Before hydration the selection is unknown, and the button must work without JavaScript.
  const isHydrated = useHydrated();
  const confirm = async () => {
    setIsBusy(true);
    await onCancelAll();
    setIsBusy(false);
    setIsAsking(false);
  };
  const where = market === null ? "" : `?market=${encodeURIComponent(market)}`;
  return (
    <div className="flex flex-wrap items-center justify-end gap-2 border-t border-border bg-surface p-3 sm:px-4 md:sticky md:bottom-0 md:rounded-b-card">
      <span className="hidden md:block">
        <Button type="submit" form={CANCEL_FORM} disabled={isHydrated && selected === 0}>
          Cancel selected{selected > 0 ? ` (${selected})` : ""}
        </Button>
      </span>
      <ButtonLink
        tone="danger"
        href={`/orders/cancel${where}`}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.preventDefault();
          setIsAsking(true);
        }}
      >
        {market === null ? "Cancel all" : "Cancel all in this market"}
      </ButtonLink>
      <Dialog
        title={`Cancel ${totals.count === 1 ? "1 order" : `${totals.count} orders`}?`}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        isBusy={isBusy}
      >
        <CancelAllText totals={totals} />
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button data-autofocus disabled={isBusy} onClick={() => setIsAsking(false)}>
            Keep orders
          </Button>
          <Button tone="danger" disabled={isBusy} aria-busy={isBusy} onClick={confirm}>
            {isBusy && <Spinner />}
            Cancel {totals.count === 1 ? "1 order" : `${totals.count} orders`}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
