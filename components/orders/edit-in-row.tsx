"use client";

import { lazy, Suspense, useState } from "react";
import type { EditState } from "@/components/orders/edit-order-form";
import type { OrderChange } from "@/components/orders/open-order-row";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";
import { Button, ButtonLink } from "@/components/ui/button";
import type { FormAction } from "@/components/ui/action-form";
import { createIdempotencyKey } from "@/lib/browser/idempotency-key";

// Loaded on first use, so that the page doesn't include it.
const EditOrderForm = lazy(async () => {
  const { EditOrderForm: component } = await import("@/components/orders/edit-order-form");
  return { default: component };
});

interface Props {
  order: OpenOrderWire;
  /** Whether the order has left the list. */
  hasLeft: boolean;
  action: FormAction<EditState>;
  onEdited: (edited: OrderChange) => void;
  onLeave: () => void;
}

/** The form below an order's row. Esc leaves it. */
export function EditInRow({ order, hasLeft, action, onEdited, onLeave }: Props) {
  // The same for every repeat, so that the order is replaced once.
  const [key] = useState(createIdempotencyKey);
  // A change that was sent cancels the order first, and its outcome is shown in the form.
  const [isSent, setSent] = useState(false);
  const send = async (state: EditState, form: FormData): Promise<EditState> => {
    try {
      return await action(state, form);
    } catch {
      return { status: "unanswered" };
    }
  };
  return (
    <div
      className="py-2 text-left whitespace-normal"
      // Not in `send`: React would delay the state until the action ends, and the form would be gone meanwhile.
      onSubmit={() => setSent(true)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onLeave();
      }}
    >
      {hasLeft && !isSent ? (
        <OrderLeft orderId={order.id} onLeave={onLeave} />
      ) : (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <EditOrderForm
            order={order}
            formKey={key}
            action={send}
            onDone={(result, terms) => onEdited({ key, result, terms })}
            leave={<Button onClick={onLeave}>Keep order</Button>}
            takesFocus
          />
        </Suspense>
      )}
    </div>
  );
}

/** Takes the place of the form when the order ends, or is changed elsewhere, before the change is sent. */
function OrderLeft({ orderId, onLeave }: { orderId: string; onLeave: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="alert">This order isn&rsquo;t in the list anymore. Nothing was changed.</p>
      <ButtonLink href={`/orders/${orderId}`}>View order</ButtonLink>
      <Button onClick={onLeave}>Close</Button>
    </div>
  );
}
