"use client";

import { type ReactNode, useEffect, useRef } from "react";

const FLASH_MS = 350;

/** Tints its content for a moment when the value changes. Nothing moves under reduced motion. */
export function Flash({ value, children }: { value: number; children: ReactNode }) {
  const ref = useRef<HTMLSpanElement>(null);
  const former = useRef(value);
  useEffect(() => {
    const hasRisen = value > former.current;
    if (value === former.current) return;
    former.current = value;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const color = `color-mix(in oklab, var(--${hasRisen ? "up" : "down"}) 12%, transparent)`;
    ref.current?.animate(
      [{ backgroundColor: color }, { backgroundColor: "transparent" }],
      FLASH_MS,
    );
  }, [value]);
  return (
    <span ref={ref} className="-mx-1 rounded-control px-1 py-0.5">
      {children}
    </span>
  );
}
