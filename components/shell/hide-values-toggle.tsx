"use client";

import { Eye, EyeOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { isHidingValues, subscribeToHideValues, toggleHideValues } from "@/lib/browser/hide-values";

export function HideValuesToggle() {
  const isHidden = useSyncExternalStore(subscribeToHideValues, isHidingValues, () => false);
  const Icon = isHidden ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-pressed={isHidden}
      aria-label="Hide values"
      aria-keyshortcuts="h"
      title="Hide values (H)"
      onClick={toggleHideValues}
      className="hidden size-9 place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text sm:grid noscript:hidden"
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}
