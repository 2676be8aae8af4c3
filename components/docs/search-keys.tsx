"use client";

import { useEffect } from "react";

/** Focuses the search field for "/", Ctrl+K and ⌘K. */
export function SearchKeys({ fieldId }: { fieldId: string }) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const field = document.getElementById(fieldId);
      if (!isSearchKey(event) || !(field instanceof HTMLInputElement)) return;
      event.preventDefault();
      field.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, [fieldId]);
  return null;
}

function isSearchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (key.toLowerCase() === "k") return ctrlKey || metaKey;
  const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
  return key === "/" && !ctrlKey && !metaKey && !isTyping;
}
