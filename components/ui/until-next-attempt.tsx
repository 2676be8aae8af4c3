"use client";

import { type ReactNode, useEffect, useState } from "react";

/**
 * The outcome of a page's last attempt. It goes when a form of the page is sent, because it says nothing
 * about the new attempt. Keyed by its attempt, so that the next outcome is shown again.
 */
export function UntilNextAttempt({ children }: { children: ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const end = ({ target }: SubmitEvent) => {
      if (target instanceof HTMLFormElement && target.closest("main")) setIsOver(true);
    };
    document.addEventListener("submit", end);
    return () => document.removeEventListener("submit", end);
  }, []);
  return isOver ? null : children;
}
