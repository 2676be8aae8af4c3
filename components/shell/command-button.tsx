"use client";

import { Search } from "lucide-react";
import { openCommandMenu } from "@/lib/browser/commands";

/** The button where the top bar has no search field. */
export function CommandButton() {
  return (
    <button
      type="button"
      aria-label="Command menu"
      aria-keyshortcuts="Meta+K Control+K"
      title="Command menu (⌘K)"
      onClick={openCommandMenu}
      className="grid size-11 place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text noscript:hidden md:hidden md:with-market-search:not-noscript:grid"
    >
      <Search aria-hidden="true" className="size-5" />
    </button>
  );
}

/** The button inside the search field. */
export function CommandKey() {
  return (
    <button
      type="button"
      aria-label="Command menu"
      aria-keyshortcuts="Meta+K Control+K"
      title="Command menu (⌘K or Ctrl K)"
      onClick={openCommandMenu}
      className="absolute inset-y-1.5 right-1.5 rounded-control border border-border px-2 text-caption text-text-2 hover:bg-surface-2 hover:text-text noscript:hidden"
    >
      <kbd aria-hidden="true">⌘K</kbd>
    </button>
  );
}
