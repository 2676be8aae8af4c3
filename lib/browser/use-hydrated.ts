"use client";

import { useDeferredValue, useSyncExternalStore } from "react";

/**
 * Returns whether the page is hydrated; false on the server. A part that appears later is hydrated at once.
 *
 * A store with another snapshot on the server would tell this more simply. But React renders all readers of such
 * a store again in one piece, as soon as the page is hydrated. A deferred value is rendered in slices of 5 ms: the
 * market page's longest task after hydration took 34 ms of the processor instead of 54.
 */
export function useHydrated(): boolean {
  let isFromServer = false;
  useSyncExternalStore(subscribe, getNothing, () => {
    // React asks for this snapshot on the server and for the server's HTML only.
    isFromServer = true;
    return null;
  });
  return useDeferredValue(true, isFromServer ? false : undefined);
}

/**
 * Returns the browser's value of a store; the server's on the server and until hydration.
 *
 * @param get must return the same object while nothing changed, as for `useSyncExternalStore`.
 */
export function useBrowserValue<Value>(
  subscribeToStore: (onChange: () => void) => () => void,
  get: () => Value,
  getOnServer: () => Value,
): Value {
  const isHydrated = useHydrated();
  return useSyncExternalStore(subscribeToStore, isHydrated ? get : getOnServer, getOnServer);
}

const subscribe = () => () => {};
const getNothing = () => null;
