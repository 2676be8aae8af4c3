"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { watchAccountChanges } from "@/lib/browser/account-changes";

/** The shortest time between two renders, for an account with many orders a second. */
const MIN_PAUSE_MS = 500;

/** Renders a page again when its account changes. For pages whose account data the server renders. */
export function RefreshOnAccountChange() {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastAt = 0;
    const refresh = () => {
      timer = undefined;
      lastAt = Date.now();
      // The service has just sent an event, so the refresh needs no check.
      router.refresh();
    };
    const stop = watchAccountChanges(() => {
      timer ??= setTimeout(refresh, lastAt + MIN_PAUSE_MS - Date.now());
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [router]);
  return null;
}
