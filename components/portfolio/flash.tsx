"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { useFlash } from "@/lib/browser/use-flash";

/** Tints its content briefly when the value rises or falls. */
export function Flash({ value, children }: { value: number; children: ReactNode }) {
  const { ref, flash } = useFlash<HTMLSpanElement>();
  const former = useRef(value);
  useEffect(() => {
    const before = former.current;
    former.current = value;
    if (value !== before) flash(value > before ? "up" : "down");
  }, [value, flash]);
  return (
    <span ref={ref} className="-mx-1 rounded-control px-1 py-0.5">
      {children}
    </span>
  );
}
