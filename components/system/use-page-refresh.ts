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
    const refresh = async () => {
      // Next leaves the page if a refresh fails, so check first that the service responds.
      if (!document.hidden && (await isServiceUp())) router.refresh();
    };
    if (isFirstDue.current?.()) void refresh();
    const timer = setInterval(() => void refresh(), everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return () => router.refresh();
}

async function isServiceUp(): Promise<boolean> {
  try {
    return (await fetch("/health")).ok;
  } catch {
    return false;
  }
}
