"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

interface Options {
  /** Null for never. */
  everyMs: number | null;
  /** Whether to refresh immediately on mount. */
  isOverdue?: () => boolean;
}

/** Renders the page again at an interval while it is visible. */
export function usePageRefresh({ everyMs, isOverdue }: Options): () => void {
  const router = useRouter();
  const isFirstDue = useRef(isOverdue);
  useEffect(() => {
    if (everyMs === null) return;
    if (isFirstDue.current?.()) void refreshPage(router);
    const timer = setInterval(() => void refreshPage(router), everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return () => router.refresh();
}

/** Renders a visible page again. */
export async function refreshPage(router: { refresh: () => void }): Promise<void> {
  // Next leaves the page if a refresh fails, so check first that the service responds.
  if (!document.hidden && (await isServiceUp())) router.refresh();
}

async function isServiceUp(): Promise<boolean> {
  try {
    return (await fetch("/health")).ok;
  } catch {
    return false;
  }
}
