"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { watchNavigation } from "@/lib/browser/navigation";

/** A page that opens faster needs no sign. */
const PATIENCE_MS = 150;

/** A line at the top of the window while a page takes long to open. Marks the old page as busy. */
export function ProgressBar() {
  const address = `${usePathname()}?${useSearchParams().toString()}`;
  // Remounted on each page, so that a new address ends the wait.
  return <Waiting key={address} />;
}

function Waiting() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = watchNavigation(() => {
      clearTimeout(timer);
      timer = setTimeout(() => setIsSlow(true), PATIENCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  useEffect(() => {
    if (!isSlow) return;
    const main = document.querySelector("main");
    main?.setAttribute("aria-busy", "true");
    return () => main?.removeAttribute("aria-busy");
  }, [isSlow]);
  return isSlow ? <div aria-hidden="true" className="progress-bar" /> : null;
}
