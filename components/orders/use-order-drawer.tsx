"use client";

import { lazy, type ReactNode, Suspense, useState } from "react";

// Loaded on first use, so that the page doesn't include it.
const OrderDrawer = lazy(async () => {
  const { OrderDrawer: component } = await import("@/components/orders/order-drawer");
  return { default: component };
});

/** Shows the details of an order over its list. Closing returns the focus to the order's link. */
export function useOrderDrawer(): { show: (orderId: string) => void; drawer: ReactNode } {
  const [shownId, setShownId] = useState<string | null>(null);
  const close = () => {
    setShownId(null);
    if (shownId !== null) requestAnimationFrame(() => focusDetailsLink(shownId));
  };
  return {
    show: setShownId,
    drawer: shownId !== null && (
      <Suspense fallback={null}>
        <OrderDrawer key={shownId} orderId={shownId} onClose={close} />
      </Suspense>
    ),
  };
}

function focusDetailsLink(orderId: string): void {
  const links = document.querySelectorAll<HTMLElement>(`[data-details="${CSS.escape(orderId)}"]`);
  [...links].find((link) => link.checkVisibility())?.focus();
}
