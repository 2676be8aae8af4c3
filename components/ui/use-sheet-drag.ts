"use client";

import { type PointerEvent, type RefObject, useRef } from "react";

/** A sheet that was dragged further than this closes; otherwise it slides back. */
const CLOSES_AFTER_PX = 96;

/** Closes a sheet by dragging it down. */
export function useSheetDrag(sheet: RefObject<HTMLElement | null>, close: () => void) {
  const from = useRef<number | null>(null);
  const pulled = (event: PointerEvent) => Math.max(0, event.clientY - (from.current ?? Infinity));
  const settle = () => {
    from.current = null;
    sheet.current?.style.removeProperty("translate");
    sheet.current?.style.removeProperty("transition");
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      from.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
      sheet.current?.style.setProperty("transition", "none");
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current === null) return;
      sheet.current?.style.setProperty("translate", `0 ${pulled(event)}px`);
    },
    onPointerUp: (event: PointerEvent) => {
      const isFar = pulled(event) > CLOSES_AFTER_PX;
      settle();
      if (isFar) close();
    },
    onPointerCancel: settle,
  };
}
