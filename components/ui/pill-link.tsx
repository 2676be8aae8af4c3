import Link from "next/link";
import type { ReactNode } from "react";

/** The look of an option in a row of filters. The border is for a contrast theme of the system. */
export const PILL =
  "inline-flex h-11 shrink-0 items-center gap-1.5 rounded-pill border border-transparent px-3 text-small font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:bg-surface-3 aria-[current]:text-text lg:h-8";

interface Props {
  href: string;
  isCurrent: boolean;
  /** More classes. */
  className?: string;
  children: ReactNode;
}

/** An option in a row of filters, which applies at once and works without JavaScript. */
export function PillLink({ href, isCurrent, className = "", children }: Props) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={isCurrent ? "true" : undefined}
      className={`${PILL} ${className}`}
    >
      {children}
    </Link>
  );
}
