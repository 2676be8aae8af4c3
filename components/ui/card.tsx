import type { ReactNode } from "react";

interface CardProps {
  title?: ReactNode;
  /** Shown to the right of the title. */
  actions?: ReactNode;
  /** Whether the content reaches the card's edges, for tables. */
  isFlush?: boolean;
  children: ReactNode;
}

/** Tables without a title above them follow the card's round corners. */
const FLUSH = "overflow-clip rounded-[inherit]";

export function Card({ title, actions, isFlush = false, children }: CardProps) {
  return (
    <section className="card min-w-0">
      {title !== undefined && (
        <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-3 pt-3 sm:px-4">
          <h2 className="text-heading">{title}</h2>
          {actions}
        </header>
      )}
      <div className={isFlush ? (title === undefined ? FLUSH : "pt-2") : "p-3 sm:p-4"}>
        {children}
      </div>
    </section>
  );
}
