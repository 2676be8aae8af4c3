"use client";

import { type Editing, HEADING_ID, type OpenOrderWire } from "@/components/orders/open-order-row";
import { ButtonLink } from "@/components/ui/button";
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
      data-edit={order.id}
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
export function focusEditLink(orderId: string): boolean {
  const links = document.querySelectorAll<HTMLElement>(`[data-edit="${CSS.escape(orderId)}"]`);
  const link = [...links].find((one) => one.checkVisibility());
  link?.focus();
  return link !== undefined;
}
