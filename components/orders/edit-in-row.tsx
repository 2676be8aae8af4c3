"use client";

import { lazy, Suspense, useState } from "react";
import type { EditState } from "@/components/orders/edit-order-form";
import type { OpenOrderWire, OrderChange } from "@/components/orders/open-order-row";
import { Button } from "@/components/ui/button";
import type { FormAction } from "@/components/ui/action-form";
import { createIdempotencyKey } from "@/lib/browser/idempotency-key";

// Loaded on first use, so that the page doesn't include it.
const EditOrderForm = lazy(async () => {
  const { EditOrderForm: component } = await import("@/components/orders/edit-order-form");
  return { default: component };
});

interface Props {
  order: OpenOrderWire;
  action: FormAction<EditState>;
  onEdited: (edited: OrderChange) => void;
  onLeave: () => void;
}

/** The form below an order's row. Esc leaves it. */
export function EditInRow({ order, action, onEdited, onLeave }: Props) {
  // The same for every repeat, so that the order is replaced once.
  const [key] = useState(createIdempotencyKey);
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
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onLeave();
      }}
    >
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
    </div>
  );
}
