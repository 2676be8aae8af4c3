"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

interface Options {
  /** Null for never. */
  everyMs: number | null;
  /** Whether not to wait for the first time. */
  isOverdue?: () => boolean;
}

/** Has the server render this page again every so often, while it is looked at. */
export function usePageRefresh({ everyMs, isOverdue }: Options): () => void {
  const router = useRouter();
  const isFirstDue = useRef(isOverdue);
  useEffect(() => {
    if (everyMs === null) return;
    const refresh = async () => {
      // Next leaves the page when a refresh fails, so it is only asked for where it will not.
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
