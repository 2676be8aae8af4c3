import { MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS } from "@/lib/domain/search";

/** Explains that a long search was shortened. */
export function SearchCutNote() {
  return (
    <p role="status" className="mb-4 text-small text-text-2">
      Searches use the first {MAX_SEARCH_WORDS} words, up to {MAX_SEARCH_LENGTH} characters.
    </p>
  );
}
