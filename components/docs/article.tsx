import type { ReactNode } from "react";
import { DocsNav, type NavSection } from "@/components/docs/docs-nav";
import type { DocsPath } from "@/components/docs/pages";

interface ArticleProps {
  /** The page's own path; null if the table of contents doesn't list it. */
  path: DocsPath | null;
  title: string;
  /** A summary of the page in one or two sentences. */
  lead: ReactNode;
  /** The sections that the table of contents lists under the page. */
  sections?: readonly NavSection[];
  children: ReactNode;
}

/** A page of the documentation, beside its table of contents. */
export function Article({ path, title, lead, sections = [], children }: ArticleProps) {
  return (
    <div className="mx-auto grid w-full max-w-360 flex-1 gap-x-8 gap-y-4 px-4 max-lg:content-start max-lg:pt-4 lg:grid-cols-[13.75rem_minmax(0,1fr)] lg:px-6">
      <div className="min-w-0">
        <DocsNav path={path} sections={sections} />
      </div>
      <main id="main" className="min-w-0 lg:py-6">
        <article className="max-w-283 min-w-0 pb-6">
          <h1 className="text-title">{title}</h1>
          <p className="mt-1 max-w-170 text-text-2">{lead}</p>
          {children}
        </article>
      </main>
    </div>
  );
}

interface ChapterProps {
  id: string;
  title: ReactNode;
  isWide?: boolean;
  /** Code samples, in a column of their own on a wide screen. */
  code?: ReactNode;
  children: ReactNode;
}

/** A chapter of a page, with an id for links. */
export function Chapter({ id, title, isWide = false, code, children }: ChapterProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`mt-8 ${code === undefined ? "" : WITH_CODE}`}
    >
      <div className="min-w-0">
        <h2 id={`${id}-title`} className="text-heading">
          <a href={`#${id}`} className="hover:underline">
            {title}
          </a>
        </h2>
        <div className={`${PROSE} ${isWide ? "" : "max-w-170"}`}>{children}</div>
      </div>
      {code !== undefined && (
        <div className="flex min-w-0 flex-col gap-3 self-start xl:sticky xl:top-20">{code}</div>
      )}
    </section>
  );
}

/** Text, and a column of code beside it on a wide screen. */
export const WITH_CODE = "grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 xl:grid-cols-2";

const PROSE =
  "mt-2 flex flex-col gap-3 [&_li]:mt-1 [&_ol]:list-decimal [&_ol]:pl-5 [&_p]:max-w-170 [&_ul]:list-disc [&_ul]:pl-5";

/** Inline code. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-[4px] bg-surface-2 px-1 py-px font-mono text-caption break-words">
      {children}
    </code>
  );
}
