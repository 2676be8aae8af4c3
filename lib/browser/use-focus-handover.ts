"use client";

import { useCallback } from "react";

interface Handover {
  kind: string;
  /** The kind of control that is next in line in the other rows: by default the same; none if it is empty. */
  heir?: string;
  /** The ids of the elements that get the focus if no such control is left. The first on the page gets it. */
  fallbacks: readonly string[];
}

/**
 * Keeps the keyboard's place when a control goes away with its row. If it has the focus, its heir
 * in the next row gets it, otherwise the previous row's, otherwise a fallback, such as the list's heading.
 *
 * @returns props of the control, or of an element around several.
 */
export function useFocusHandover({ kind, heir = kind, fallbacks }: Handover) {
  const [first = "", second = ""] = fallbacks;
  const ref = useCallback(
    (control: HTMLElement | null) => () => {
      // It is still on the page while React detaches its ref.
      if (control === null || !control.contains(document.activeElement)) return;
      const heirs = listHeirs(control, heir);
      // After React has finished: other rows can go away together with this one.
      queueMicrotask(() => {
        focusFirst([...heirs, ...[first, second].map((id) => document.getElementById(id))]);
      });
    },
    [heir, first, second],
  );
  return { ref, "data-handover": kind };
}

/** Lists the controls of the kind: those after the control, then those before it, nearest first. */
function listHeirs(control: HTMLElement, kind: string): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>("[data-handover]")];
  const index = all.indexOf(control);
  return [...all.slice(index + 1), ...all.slice(0, index).toReversed()].filter(
    ({ dataset }) => dataset["handover"] === kind,
  );
}

/** Focuses the first element that is visible, unless something has the focus. */
function focusFirst(elements: readonly (HTMLElement | null)[]): void {
  for (const element of elements) {
    if (document.activeElement !== document.body) return;
    if (element?.isConnected && element.checkVisibility()) element.focus();
  }
}
