"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

interface Props {
  /** The accessible name. */
  label: string;
  as?: "div" | "pre";
  className: string;
  children: ReactNode;
}

/**
 * A part of the page that scrolls on its own. It is a tab stop only while it has more than it shows, so
 * that the arrow keys reach the rest. Without JavaScript it is always a tab stop, because keyboards reach the rest in Safari only that way.
 */
export function ScrollRegion({ label, as: Tag = "div", className, children }: Props) {
  const ref = useRef<HTMLDivElement & HTMLPreElement>(null);
  const [isOverflowing, setOverflowing] = useState(true);
  useEffect(() => {
    const region = ref.current;
    if (!region) return;
    // The content can grow alone. A tab stop changes no size, so this causes no further call.
    const observer = new ResizeObserver(() => setOverflowing(hasMore(region)));
    for (const part of [region, ...region.children]) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return (
    <Tag
      ref={ref}
      role="region"
      aria-label={label}
      tabIndex={isOverflowing ? 0 : undefined}
      className={className}
    >
      {children}
    </Tag>
  );
}

function hasMore({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollWidth > clientWidth || scrollHeight > clientHeight;
}
