"use client";

import { type RefObject, useCallback, useRef } from "react";

const FLASH_MS = 350;
const AT_MOST_EVERY_MS = 1_000;

interface Flashing<E extends HTMLElement> {
  ref: RefObject<E | null>;
  /** Tints the element in a color token for a moment. */
  flash: (token: "up" | "down" | "text") => void;
}

/** Flashes an element, at most once a second and never with reduced motion. */
export function useFlash<E extends HTMLElement>(): Flashing<E> {
  const ref = useRef<E>(null);
  const flashedAt = useRef(-Infinity);
  const flash = useCallback((token: "up" | "down" | "text") => {
    const at = performance.now();
    if (at - flashedAt.current < AT_MOST_EVERY_MS) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    flashedAt.current = at;
    const tint = `color-mix(in oklab, var(--${token}) 12%, transparent)`;
    ref.current?.animate([{ backgroundColor: tint }, { backgroundColor: "transparent" }], FLASH_MS);
  }, []);
  return { ref, flash };
}
