"use client";

import { useEffect, useRef, useState } from "react";
import { useSWRConfig } from "swr";
import { maskFigures } from "@/components/format/figures";
import { focusEditLink } from "@/components/orders/edit-link";
import type { EditState } from "@/components/orders/edit-order-form";
import type { Editing, OpenOrderWire, OrderChange } from "@/components/orders/open-order-row";
import { describeReplacement } from "@/components/orders/replace-report";
import type { FormAction } from "@/components/ui/action-form";
import { isHidingValues } from "@/lib/browser/hide-values";
import { dismissToast, showToast, type Toast } from "@/lib/browser/toasts";
import type { Live } from "@/lib/browser/use-live";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";
import { SUMMARY_URL } from "@/lib/browser/use-summary";

/** Edits one order of the list at a time. Afterwards, the focus is on the order's Edit link again. */
export function useEditing(
  { data, refresh }: Live<OpenOrdersWire>,
  action: FormAction<EditState>,
): Editing {
  const { mutate } = useSWRConfig();
  const [id, setId] = useState<string | null>(null);
  // The changed order, until its row is on the page.
  const changedId = useRef<string | null>(null);
  useEffect(() => {
    if (changedId.current !== null && focusEditLink(changedId.current)) changedId.current = null;
  }, [data]);
  return {
    id,
    action,
    start: setId,
    leave: () => {
      setId(null);
      if (id !== null) focusEditLink(id);
    },
    finish: (order, edited) => {
      setId(null);
      announce(order, edited);
      changedId.current = readNewId(edited);
      void Promise.allSettled([refresh(), mutate(SUMMARY_URL)]);
    },
  };
}

/** The new order's toast takes the place of the old order's. */
function announce(order: OpenOrderWire, edited: OrderChange): void {
  const { tone, text } = describeReplacement(edited.result, edited.terms);
  const oldId = order.idempotencyKey ?? order.id;
  const newId = readNewId(edited);
  if (newId !== null) dismissToast(oldId);
  showToast({
    id: newId === null ? oldId : edited.key,
    tone: TONES[tone],
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
