import type { MouseEvent, ReactNode } from "react";

export interface Segment {
  /** The page with this choice made: what a browser without JavaScript follows. */
  href: string;
  label: ReactNode;
  isCurrent: boolean;
  onChoose: () => void;
  /** Key that chooses it, for assistive technology. */
  shortcut: string;
  tone?: "up" | "down";
}

const CURRENT = {
  neutral: "border border-border bg-surface text-text",
  up: "bg-up text-on-ink",
  down: "bg-down text-on-ink",
} as const;

/** A choice of two. Links, so that it also works before and without JavaScript. */
export function Segments({ label, items }: { label: string; items: readonly Segment[] }) {
  return (
    <div role="group" aria-label={label} className="flex flex-1 rounded-control bg-surface-2 p-0.5">
      {items.map((item) => (
        <a
          key={item.href}
          href={item.href}
          aria-current={item.isCurrent ? "true" : undefined}
          aria-keyshortcuts={item.shortcut}
          onClick={(event) => choose(event, item.onChoose)}
          className={`inline-flex h-11 flex-1 items-center justify-center rounded-[6px] px-3 font-[550] lg:h-8 ${item.isCurrent ? CURRENT[item.tone ?? "neutral"] : "text-text-2 hover:text-text"}`}
        >
          {item.label}
        </a>
      ))}
    </div>
  );
}

/** A plain click chooses here; a click for another tab goes there. */
export function choose(event: MouseEvent, onChoose: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  onChoose();
}
