"use client";

import { type Editing, HEADING_ID } from "@/components/orders/open-order-row";
import type { OpenOrderWire } from "@/lib/browser/use-open-orders";
import { ButtonLink } from "@/components/ui/button";
import { focusShown } from "@/lib/browser/focus-shown";
import { useFocusHandover } from "@/lib/browser/use-focus-handover";
import { isReplaceable } from "@/lib/domain/order-replacement";

interface Props {
  order: OpenOrderWire;
  /** The order's description, for the accessible name. */
  of: string;
  editing: Editing;
  size?: "small" | "normal";
}

/** Opens the form below the row. Without JavaScript, it links to the form's page. */
export function EditLink({ order, of, editing, size = "small" }: Props) {
  const handover = useFocusHandover({ kind: "edit", fallbacks: [HEADING_ID] });
  if (!isReplaceable(order)) return null;
  const isEdited = editing.id === order.id;
  return (
    <ButtonLink
      {...handover}
      size={size}
      href={`/orders/${order.id}/edit`}
      aria-label={`Edit ${of}`}
      aria-expanded={isEdited}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        if (isEdited) editing.leave();
        else editing.start(order.id);
      }}
    >
      Edit
    </ButtonLink>
  );
}

/** Focuses the Edit link of an order's row or card. Returns whether it is on the page. */
export const focusEditLink = (orderId: string): boolean =>
  focusShown(`a[aria-expanded][href="/orders/${CSS.escape(orderId)}/edit"]`);
