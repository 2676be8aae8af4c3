import type { ReactNode } from "react";

interface Props {
  title: string;
  /** The id, with which an address leads to the card. */
  id?: string;
  isOpen?: boolean;
  children: ReactNode;
}

/** A card that is folded at first, for what few visitors of its page need. */
export function FoldCard({ title, id, isOpen = false, children }: Props) {
  return (
    <details
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      open={isOpen}
      className="card group"
    >
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-2 rounded-card px-3 text-heading hover:bg-surface-2 sm:px-4">
        {title}
        <span className="text-small font-normal text-text-2 group-open:hidden">Show</span>
        <span className="hidden text-small font-normal text-text-2 group-open:inline">Hide</span>
      </summary>
      <div className="grid gap-6 p-3 sm:p-4 lg:grid-cols-2">{children}</div>
    </details>
  );
}
