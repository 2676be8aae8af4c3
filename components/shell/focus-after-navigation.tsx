"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { focusPageHeading } from "@/lib/browser/page-keys";

/**
 * Moves the focus after a navigation without a reload: to the part of the page that the address names, such as its
 * ticket, or to its heading if the button or link that led to it is gone. The focus would be at the start of the
 * document otherwise, before the navigation.
 */
export function FocusAfterNavigation() {
  const address = `${usePathname()}?${useSearchParams().toString()}`;
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    // A page can focus a part of its own, and links of the navigation stay.
    const part = document.getElementById(location.hash.slice(1));
    if (part && !part.contains(document.activeElement)) part.focus({ preventScroll: true });
    if (document.activeElement === document.body) focusPageHeading();
  }, [address]);
  return null;
}
