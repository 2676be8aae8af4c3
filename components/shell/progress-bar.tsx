"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { isFormWorking, subscribeToFormWork } from "@/lib/browser/form-work";
import { watchNavigation } from "@/lib/browser/navigation";

/** A page or a form that takes less needs no sign. */
const PATIENCE_MS = 150;

/**
 * A line at the top of the window while a page takes long to open or a form's action runs long. Marks the
 * page as busy.
 */
export function ProgressBar() {
  const address = `${usePathname()}?${useSearchParams().toString()}`;
  const isSubmitting = useSyncExternalStore(subscribeToFormWork, isFormWorking, () => false);
  // Remounted on each page, so that a new address ends the wait.
  return <Waiting key={address} isSubmitting={isSubmitting} />;
}

function Waiting({ isSubmitting }: { isSubmitting: boolean }) {
  const [isOpening, setIsOpening] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = watchNavigation(() => {
      clearTimeout(timer);
      // The router's transition would hold back an update until the page is open; the timer is outside it.
      timer = setTimeout(() => setIsOpening(true), PATIENCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  if (isOpening) return <BusySign />;
  return isSubmitting ? <PatientSign /> : null;
}

function PatientSign() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow ? <BusySign /> : null;
}

function BusySign() {
  useEffect(() => {
    const main = document.querySelector("main");
    main?.setAttribute("aria-busy", "true");
    return () => main?.removeAttribute("aria-busy");
  }, []);
  return <div aria-hidden="true" className="progress-bar" />;
}
