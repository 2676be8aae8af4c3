import { ButtonLink } from "@/components/ui/button";

interface Props {
  /** The list's URL without a cursor. */
  base: string;
  nextCursor: string | null;
  isFirst: boolean;
  newest: string;
  older: string;
}

/** Links of a list with cursors: to older rows, and back to the newest. */
export function PageLinks({ base, nextCursor, isFirst, newest, older }: Props) {
  if (isFirst && nextCursor === null) return null;
  const joint = base.includes("?") ? "&" : "?";
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap justify-end gap-2 border-t border-border p-3 sm:px-4"
    >
      {!isFirst && <ButtonLink href={base}>{newest}</ButtonLink>}
      {nextCursor !== null && (
        <ButtonLink href={`${base}${joint}cursor=${encodeURIComponent(nextCursor)}`}>
          {older}
        </ButtonLink>
      )}
    </nav>
  );
}
