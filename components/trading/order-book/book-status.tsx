"use client";

import { FreshnessDot } from "@/components/ui/freshness-dot";
import type { BookState } from "@/lib/client/book-store";

const WORDS = {
  connecting: null,
  live: null,
  polling: null,
  resyncing: "Resyncing…",
  ended: "Signed out",
} as const;

/** How the book comes in, in a word where that is not as usual, and how old it is. */
export function BookStatus({ state }: { state: BookState }) {
  const word = state.isPaused ? "Paused" : WORDS[state.connection];
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2 text-caption text-text-2">
      {word !== null && <span className="whitespace-nowrap">{word}</span>}
      <FreshnessDot dataset="book" at={state.at} hasError={state.connection === "resyncing"} />
    </span>
  );
}
