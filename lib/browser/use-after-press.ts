"use client";

import { useEffect, useRef } from "react";

/**
 * Returns a function that runs work after the click of a pointer that is pressed now, and otherwise at
 * once. For work on blur that moves the page: a target that moves between press and release gets no click.
 */
export function useAfterPress(): (run: () => void) => void {
  const isPressed = useRef(false);
  useEffect(() => {
    const press = () => {
      isPressed.current = true;
    };
    const release = () => {
      isPressed.current = false;
    };
    document.addEventListener("pointerdown", press, true);
    for (const type of RELEASES) document.addEventListener(type, release, true);
    return () => {
      document.removeEventListener("pointerdown", press, true);
      for (const type of RELEASES) document.removeEventListener(type, release, true);
    };
  }, []);
  return (run) => {
    if (!isPressed.current) return run();
    const ended = new AbortController();
    const finish = () => {
      ended.abort();
      // The click follows the release.
      setTimeout(run);
    };
    for (const type of RELEASES) document.addEventListener(type, finish, { signal: ended.signal });
  };
}

const RELEASES = ["pointerup", "pointercancel"] as const;
