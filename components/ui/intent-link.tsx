"use client";

import Link from "next/link";
import { type ComponentProps, useEffect, useRef, useState } from "react";

/** A pointer that only passes over a link doesn't prefetch it. */
const DWELL_MS = 80;

/** A link that is prefetched on hover or focus, not when it becomes visible. */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [isIntended, setIsIntended] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const consider = () => {
    timer.current = setTimeout(() => setIsIntended(true), DWELL_MS);
  };
  const forget = () => clearTimeout(timer.current);
  useEffect(() => forget, []);
  return (
    <Link
      {...props}
      prefetch={isIntended}
      onMouseEnter={consider}
      onMouseLeave={forget}
      onFocus={consider}
      onBlur={forget}
    />
  );
}
