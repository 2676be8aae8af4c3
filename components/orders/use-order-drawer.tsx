"use client";

import {
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { focusDetailsLink } from "@/components/orders/details-link";
import { HEADING_ID } from "@/components/orders/open-order-row";
import type { OrderActions } from "@/components/orders/order-drawer";

// Loaded on first use, so that the page doesn't include it.
const OrderDrawer = lazy(async () => {
  const { OrderDrawer: component } = await import("@/components/orders/order-drawer");
  return { default: component };
});

type Show = (orderId: string) => void;

/**
 * Shows the details of an order over its list. Closing returns the focus to the order's link, or to the
 * list's heading if the order isn't listed anymore.
 *
 * @param actions null for closed orders.
 */
export function useOrderDrawer(actions: OrderActions | null): { show: Show; drawer: ReactNode } {
  const shown = useRef<Show>(null);
  const show = useCallback<Show>((orderId) => shown.current?.(orderId), []);
  return { show, drawer: <ShownOrder ref={shown} actions={actions} /> };
}

/** Has the state, because a long list takes too long to render again before the drawer appears. */
function ShownOrder({ ref, actions }: { ref: Ref<Show>; actions: OrderActions | null }) {
  const [shownId, setShownId] = useState<string | null>(null);
  useImperativeHandle(ref, () => setShownId, []);
  if (shownId === null) return null;
  const close = () => {
    setShownId(null);
    requestAnimationFrame(() => {
      if (!focusDetailsLink(shownId)) document.getElementById(HEADING_ID)?.focus();
    });
  };
  const edit = (orderId: string) => {
    setShownId(null);
    actions?.edit(orderId);
  };
  return (
    <Suspense fallback={null}>
      <OrderDrawer
        key={shownId}
        orderId={shownId}
        onClose={close}
        actions={actions && { ...actions, edit }}
      />
    </Suspense>
  );
}
