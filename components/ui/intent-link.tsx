"use client";

import Link from "next/link";
import { type ComponentProps, useEffect, useRef, useState } from "react";

/** Passing over a link on the way to another one is no intention. */
const DWELL_MS = 80;

/** A link whose page is fetched once somebody points at it or reaches it, not by being on screen. */
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
