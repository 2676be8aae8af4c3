"use client";

import { Search } from "lucide-react";
import { openCommandMenu } from "@/lib/browser/commands";

export function CommandButton() {
  return (
    <button
      type="button"
      aria-label="Command menu"
      aria-keyshortcuts="Meta+K Control+K"
      title="Command menu (⌘K)"
      onClick={openCommandMenu}
      className="grid size-11 place-items-center rounded-control text-text-2 hover:bg-surface-2 hover:text-text lg:size-9 noscript:hidden"
    >
      <Search aria-hidden="true" className="size-5" />
    </button>
  );
}
