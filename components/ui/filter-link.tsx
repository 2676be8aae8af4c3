import Link from "next/link";
import type { ReactNode } from "react";

/** The look of a filter. */
export const CHIP =
  "control w-auto rounded-pill aria-[current]:border-text aria-[current]:font-[550]";

interface Props {
  href: string;
  isCurrent: boolean;
  children: ReactNode;
}

/** An option among the filters that a link turns on and off. */
export function FilterLink({ href, isCurrent, children }: Props) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={isCurrent ? "true" : undefined}
      className={`${CHIP} inline-flex shrink-0 items-center justify-center whitespace-nowrap in-filter-layer:col-span-2 in-filter-layer:rounded-control aria-[current]:bg-surface-3`}
    >
      {children}
    </Link>
  );
}
