import Link from "next/link";
import type { ReactNode } from "react";

interface TabItem {
  href: string;
  label: ReactNode;
  isCurrent: boolean;
  /** Whether a phone leaves it out. */
  isWideOnly?: boolean;
}

interface Props {
  label: string;
  items: readonly TabItem[];
  /** Whether short labels stand close together. */
  isDense?: boolean;
}

/** Tabs as links: each view has a URL and works without JavaScript. */
export function Tabs({ label, items, isDense = false }: Props) {
  return (
    <nav
      aria-label={label}
      className="scroll-cue -mx-1 flex gap-1 overflow-x-auto px-1 py-1 max-sm:gap-0"
    >
      {items.map((item) => (
        <Link
          key={item.href}
          href={item.href}
          prefetch={false}
          scroll={false}
          aria-current={item.isCurrent ? "page" : undefined}
          className={`${item.isWideOnly ? "hidden sm:inline-flex" : "inline-flex"} h-11 items-center rounded-control font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:bg-surface-3 aria-[current]:text-text lg:h-8 ${isDense ? "px-2" : "px-3 max-sm:px-2 max-sm:text-small"}`}
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}
