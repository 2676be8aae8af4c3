"use client";

import { useEffect, useState } from "react";
import { isReplying } from "@/lib/browser/silence-watch";

/** How long a followed link waits for a reply. A slow service must not make the link do nothing. */
const REPLY_WITHIN_MS = 15_000;

/**
 * Holds clicks on the site's links while the page gets no response from the service: the browser would
 * replace the page, which still shows data, with an error page of its own. Links that open a tab, start a
 * download or lead elsewhere on this page work as always.
 *
 * Each held click asks the service. If it replies, the page was wrong, and the click goes through, so a
 * blocked or slow request of one part never locks the user in.
 *
 * @returns the name of the last held link since the service stopped responding, or null.
 */
export function useHeldLinks(isOn: boolean): string | null {
  const [held, setHeld] = useState<string | null>(null);
  useEffect(() => {
    if (!isOn) return undefined;
    let passing: HTMLAnchorElement | null = null;
    const pass = async (link: HTMLAnchorElement) => {
      if (!(await isReplying(REPLY_WITHIN_MS))) return;
      passing = link;
      link.click();
      passing = null;
    };
    const hold = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link === passing) return;
      if (!replacesPage(event, link)) return;
      event.preventDefault();
      event.stopPropagation();
      setHeld(nameLink(link));
      void pass(link);
    };
    // On the window, so that it comes before a form that asks whether to leave.
    window.addEventListener("click", hold, { capture: true });
    return () => {
      window.removeEventListener("click", hold, { capture: true });
      setHeld(null);
    };
  }, [isOn]);
  return held;
}

const LONGEST_NAME = 60;

function nameLink(link: HTMLAnchorElement): string {
  // A tab's count is a line of its own.
  const [name = ""] = (link.getAttribute("aria-label") ?? link.innerText).trim().split("\n");
  return name === "" || name.length > LONGEST_NAME ? "The link" : `“${name}”`;
}

function replacesPage(event: MouseEvent, link: HTMLAnchorElement): boolean {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  if (link.origin !== location.origin || link.hasAttribute("download")) return false;
  if (link.target !== "" && link.target !== "_self") return false;
  const isOnPage = link.pathname === location.pathname && link.search === location.search;
  return !(isOnPage && link.hash !== "");
}
