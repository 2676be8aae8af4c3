"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether JavaScript runs this page: false on the server and until the page is taken over. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
