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

// Loaded on first use, so that the page doesn't include it.
const OrderDrawer = lazy(async () => {
  const { OrderDrawer: component } = await import("@/components/orders/order-drawer");
  return { default: component };
});

type Show = (orderId: string) => void;

/** Shows the details of an order over its list. Closing returns the focus to the order's link. */
export function useOrderDrawer(): { show: Show; drawer: ReactNode } {
  const shown = useRef<Show>(null);
  const show = useCallback<Show>((orderId) => shown.current?.(orderId), []);
  return { show, drawer: <ShownOrder ref={shown} /> };
}

/** Has the state, because a long list takes too long to render again before the drawer appears. */
function ShownOrder({ ref }: { ref: Ref<Show> }) {
  const [shownId, setShownId] = useState<string | null>(null);
  useImperativeHandle(ref, () => setShownId, []);
  if (shownId === null) return null;
  const close = () => {
    setShownId(null);
    requestAnimationFrame(() => focusDetailsLink(shownId));
  };
  return (
    <Suspense fallback={null}>
      <OrderDrawer key={shownId} orderId={shownId} onClose={close} />
    </Suspense>
  );
}

function focusDetailsLink(orderId: string): void {
  const links = document.querySelectorAll<HTMLElement>(`[data-details="${CSS.escape(orderId)}"]`);
  [...links].find((link) => link.checkVisibility())?.focus();
}
