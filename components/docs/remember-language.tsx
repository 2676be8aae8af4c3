"use client";

import { useEffect } from "react";
import { DOCS_LANGUAGE_COOKIE } from "@/lib/browser/docs-language";

const MAX_AGE_S = 365 * 24 * 3600;

/** Shows every sample in the language that was chosen in one of them, and stores the choice. */
export function RememberLanguage() {
  useEffect(() => {
    document.addEventListener("change", chooseLanguage);
    return () => document.removeEventListener("change", chooseLanguage);
  }, []);
  return null;
}

function chooseLanguage({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.dataset["language"] === undefined) return;
  const before = target.labels?.[0]?.getBoundingClientRect().top ?? 0;
  for (const radio of document.querySelectorAll<HTMLInputElement>("[data-language]")) {
    radio.checked = radio.value === target.value;
  }
  // Samples above have another height now.
  window.scrollBy(0, (target.labels?.[0]?.getBoundingClientRect().top ?? 0) - before);
  document.cookie = `${DOCS_LANGUAGE_COOKIE}=${target.value};path=/docs;max-age=${MAX_AGE_S};samesite=lax`;
}
