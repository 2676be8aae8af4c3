"use client";

import { useActionState } from "react";
import { formatOrderPrice } from "@/components/format/numbers";
import { Shares } from "@/components/format/values";
import type { OwnOrder } from "@/components/trading/order-book/book-lines";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { SubmitButton } from "@/components/ui/submit-button";
import { refetchAccount } from "@/lib/browser/use-positions";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { type CancelableOrder, createCanceledToast } from "@/components/orders/cancel-toast";
import { showToast } from "@/lib/browser/toasts";

/** The state of the form after its action. */
type CancelState = { status: "idle" } | { status: "done" | "failed"; message: string };
/** A server action that cancels the order of the form's `orderId`. */
export type CancelAction = (state: CancelState, form: FormData) => Promise<CancelState>;

interface Props {
  orders: readonly OwnOrder[];
  isOpen: boolean;
  onClose: () => void;
  tickSize: string;
  cancelAction: CancelAction;
}

/** The account's orders in a line of the book, each with its cancel button. */
export function OwnOrders({ orders, isOpen, onClose, tickSize, cancelAction }: Props) {
  return (
    <Dialog title="Your orders at this price" isOpen={isOpen} onClose={onClose}>
      {orders.length === 0 && <p className="text-text-2">No open orders at this price.</p>}
      <ul className="divide-y divide-border">
        {orders.map((order) => (
          <li key={order.id} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <span>
              {order.action === "BUY" ? "Buy" : "Sell"} <Shares shares={order.shares} />{" "}
              {order.outcome} at {formatOrderPrice(order.price, tickSize)}
            </span>
            <CancelForm
              order={{ ...order, type: "limit", tickSize }}
              cancelAction={cancelAction}
              onDone={onClose}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The id of the market's part with the account's orders, which gets the focus when the last one is gone. */
export const OWN_ACTIVITY_ID = "own-activity";

const IDLE: CancelState = { status: "idle" };

interface CancelProps {
  order: CancelableOrder;
  cancelAction: CancelAction;
  onDone?: () => void;
}

/** Cancels one order without confirmation. A failure is shown in place. */
export function CancelForm({ order, cancelAction, onDone }: CancelProps) {
  const isHydrated = useHydrated();
  // Not the next Cancel: a second press of Enter would cancel another order.
  const handover = useFocusHandover({ kind: "cancel", heir: "", fallbacks: [OWN_ACTIVITY_ID] });
  // The row of a canceled order disappears with the response, so a toast shows the result.
  const cancelWithToast: CancelAction = async (before, form) => {
    const state = await cancelAction(before, form);
    if (state.status === "done") {
      showToast(createCanceledToast(order));
      void refetchAccount();
      onDone?.();
    }
    return state;
  };
  // Without JavaScript, the form posts to the action itself.
  const [state, action] = useActionState(isHydrated ? cancelWithToast : cancelAction, IDLE);
  return (
    <form action={action} className="flex flex-col items-end gap-1">
      <input type="hidden" name="orderId" value={order.id} />
      <SubmitButton {...handover} size="small" pendingLabel="Canceling…" className="max-lg:h-11">
        Cancel
      </SubmitButton>
      {state.status === "failed" && (
        <Callout tone="danger" role="alert">
          {state.message}
        </Callout>
      )}
    </form>
  );
}
