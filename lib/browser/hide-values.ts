import { writeDisplaySetting } from "@/lib/browser/cookies";

const ATTRIBUTE = "data-hide-values";
const listeners = new Set<() => void>();

export const isHidingValues = () => document.documentElement.hasAttribute(ATTRIBUTE);

export function subscribeToHideValues(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Hides or shows money and shares in this browser. */
export function toggleHideValues(): void {
  const isHidden = document.documentElement.toggleAttribute(ATTRIBUTE);
  writeDisplaySetting("hideValues", isHidden);
  for (const listener of listeners) listener();
}
