"use client";

import { useCallback } from "react";

interface Handover {
  /** The kind of control. The same controls of the other rows are next in line. */
  kind: string;
  /** The ids of the elements that get the focus if no such control is left. The first on the page gets it. */
  fallbacks: readonly string[];
}

/**
 * Keeps the keyboard's place when a control goes away with its row. If it has the focus, the same control
 * of the next row gets it, otherwise the previous row's, otherwise a fallback, such as the list's heading.
 *
 * @returns props of the control, or of an element around several.
 */
export function useFocusHandover({ kind, fallbacks: [first = "", second = ""] }: Handover) {
  const ref = useCallback(
    (control: HTMLElement | null) => () => {
      // It is still on the page while React detaches its ref.
      if (control === null || !control.contains(document.activeElement)) return;
      const heirs = listPeers(control, kind);
      // After React has finished: other rows can go away together with this one.
      queueMicrotask(() => {
        const fallbacks = [first, second].map((id) => document.getElementById(id));
        focusFirst([...heirs, ...fallbacks]);
      });
    },
    [kind, first, second],
  );
  return { ref, "data-handover": kind };
}

/** Lists the other controls of the kind: those after the control, then those before it, nearest first. */
function listPeers(control: HTMLElement, kind: string): HTMLElement[] {
  const selector = `[data-handover="${CSS.escape(kind)}"]`;
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const index = all.indexOf(control);
  return [...all.slice(index + 1), ...all.slice(0, index).toReversed()];
}

/** Focuses the first element that is visible, unless something has the focus. */
function focusFirst(elements: readonly (HTMLElement | null)[]): void {
  for (const element of elements) {
    if (document.activeElement !== document.body) return;
    if (element?.isConnected && element.checkVisibility()) element.focus();
  }
}
