import type { ReactNode } from "react";

interface ArticleProps {
  title: string;
  /** A summary of the page in one or two sentences. */
  lead: ReactNode;
  /** Whether tables can be wider than the text. */
  isWide?: boolean;
  children: ReactNode;
}

/** A page of the documentation. */
export function Article({ title, lead, isWide = false, children }: ArticleProps) {
  return (
    <article className={`min-w-0 pb-6 ${isWide ? "max-w-[1132px]" : "max-w-[680px]"}`}>
      <h1 className="text-title">{title}</h1>
      <p className="mt-1 max-w-[680px] text-text-2">{lead}</p>
      {children}
    </article>
  );
}

interface ChapterProps {
  id: string;
  title: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** A chapter of a page, with an id for links. */
export function Chapter({ id, title, isWide = false, children }: ChapterProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-8">
      <h2 id={`${id}-title`} className="text-heading">
        <a href={`#${id}`} className="hover:underline">
          {title}
        </a>
      </h2>
      <div className={`${PROSE} ${isWide ? "" : "max-w-[680px]"}`}>{children}</div>
    </section>
  );
}

const PROSE =
  "mt-2 flex flex-col gap-3 [&_li]:mt-1 [&_ol]:list-decimal [&_ol]:pl-5 [&_p]:max-w-[680px] [&_ul]:list-disc [&_ul]:pl-5";

/** Inline code. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-[4px] bg-surface-2 px-1 py-px font-mono text-caption break-words">
      {children}
    </code>
  );
}
