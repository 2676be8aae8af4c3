"use client";

import { useEffect, useRef, useState } from "react";
import { useSWRConfig } from "swr";
import { maskFigures } from "@/components/format/figures";
import { usePreferences } from "@/components/format/preferences";
import { type Clock, formatRefusal } from "@/components/format/format-refusal";
import { focusEditLink } from "@/components/orders/edit-link";
import type { EditState } from "@/components/orders/edit-order-form";
import { type Editing, HEADING_ID, type OrderChange } from "@/components/orders/open-order-row";
import { describeReplacement } from "@/components/orders/replace-report";
import type { FormAction } from "@/components/ui/action-form";
import { isHidingValues } from "@/lib/browser/hide-values";
import { dismissToast, showToast, type Toast } from "@/lib/browser/toasts";
import type { Live } from "@/lib/browser/use-live";
import type { OpenOrdersWire, OpenOrderWire } from "@/lib/browser/use-open-orders";
import { SUMMARY_URL } from "@/lib/browser/use-summary";

/**
 * Edits one order of the list at a time. Afterwards, the focus is on the order's Edit link again, or on
 * the list's heading if the order isn't open anymore.
 */
export function useEditing(
  { data, refresh }: Live<OpenOrdersWire>,
  action: FormAction<EditState>,
): Editing & { orders: readonly OpenOrderWire[] } {
  const { mutate } = useSWRConfig();
  const clock = usePreferences();
  const [edited, setEdited] = useState<EditedRow | null>(null);
  const id = edited?.order.id ?? null;
  // The changed order, until its row is on the page.
  const changedId = useRef<string | null>(null);
  const focusChanged = () => {
    if (changedId.current === null) return;
    if (hasMovedOn() || focusEditLink(changedId.current)) changedId.current = null;
  };
  useEffect(focusChanged, [data]);
  return {
    id,
    hasLeft: id !== null && !data.orders.some((order) => order.id === id),
    orders: keepRow(data.orders, edited),
    action,
    start: (orderId) => {
      const index = data.orders.findIndex((order) => order.id === orderId);
      const order = data.orders[index];
      if (order) setEdited({ order, index });
    },
    leave: () => {
      setEdited(null);
      const isListed = data.orders.some((order) => order.id === id);
      if (!isListed || id === null || !focusEditLink(id)) focusHeading();
    },
    finish: (order, change) => {
      setEdited(null);
      announce(order, change, clock);
      changedId.current = readNewId(change) ?? order.id;
      void Promise.allSettled([refresh(), mutate(SUMMARY_URL)]).then(() =>
        // After the new list is rendered. A list that was already on its way lacks the new order: its row
        // comes later, and takes the focus from the heading.
        requestAnimationFrame(() => {
          focusChanged();
          if (document.activeElement === document.body) focusHeading();
        }),
      );
    },
  };
}

interface EditedRow {
  order: OpenOrderWire;
  /** Its place in the list when the editing started. */
  index: number;
}

/** Keeps the edited row until the result is shown: its order is canceled before the new one is placed. */
function keepRow(
  orders: readonly OpenOrderWire[],
  edited: EditedRow | null,
): readonly OpenOrderWire[] {
  if (edited === null || orders.some(({ id }) => id === edited.order.id)) return orders;
  return [...orders.slice(0, edited.index), edited.order, ...orders.slice(edited.index)];
}

/** Returns whether the user has focused something since the form was closed. */
const hasMovedOn = () =>
  ![document.body, document.getElementById(HEADING_ID)].includes(
    document.activeElement as HTMLElement | null,
  );

/** Focuses the list's heading, where a row that had the focus is gone. */
export const focusHeading = () => document.getElementById(HEADING_ID)?.focus();

/** The new order's toast takes the place of the old order's. */
function announce(order: OpenOrderWire, edited: OrderChange, clock: Clock): void {
  const report = describeReplacement(edited.result, edited.terms, order);
  const text = formatRefusal(report.text, clock);
  const oldId = order.idempotencyKey ?? order.id;
  const newId = readNewId(edited);
  if (newId !== null) dismissToast(oldId);
  showToast({
    id: newId === null ? oldId : edited.key,
    tone: TONES[report.tone],
    text: isHidingValues() ? maskFigures(text) : text,
    link: { href: `/orders/${newId ?? order.id}`, label: "View" },
  });
}

const readNewId = ({ result }: OrderChange): string | null =>
  "newOrderId" in result ? result.newOrderId : null;

const TONES: Record<ReturnType<typeof describeReplacement>["tone"], Toast["tone"]> = {
  success: "success",
  info: "info",
  warn: "info",
  danger: "error",
};
