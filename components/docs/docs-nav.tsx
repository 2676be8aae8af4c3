import { DOCS_PARTS, type DocsPath } from "@/components/docs/pages";

export interface NavSection {
  /** The id of the section's element. */
  id: string;
  label: string;
}

const LINK =
  "flex min-h-11 items-center rounded-control px-3 text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:bg-surface-3 aria-[current]:text-text lg:min-h-8";

interface Props {
  /** The path of the page that is shown; null if it isn't listed. */
  path: DocsPath | null;
  /** The sections of that page. */
  sections: readonly NavSection[];
}

/** The table of contents: the pages, and the sections of this one. Collapsed on a phone. */
export function DocsNav(props: Props) {
  return (
    <>
      <details className="card lg:hidden">
        <summary className="flex min-h-11 items-center justify-between px-3 font-[550]">
          Contents <span aria-hidden="true">▾</span>
        </summary>
        <nav aria-label="Contents" className="border-t border-border p-2">
          <Contents {...props} />
        </nav>
      </details>
      <nav
        aria-label="Documentation"
        className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] overflow-y-auto py-6 lg:block"
      >
        <Contents {...props} />
      </nav>
    </>
  );
}

function Contents({ path, sections }: Props) {
  return (
    <ul className="flex flex-col gap-4">
      {DOCS_PARTS.map(({ title, pages }) => (
        <li key={title}>
          <p className="px-3 pb-1 text-caption text-text-3">{title}</p>
          <ul className="flex flex-col gap-0.5">
            {pages.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={path === href ? "page" : undefined}
                  className={`${LINK} font-[550]`}
                >
                  {label}
                </a>
                {path === href && sections.length > 0 && <Sections sections={sections} />}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Sections({ sections }: Pick<Props, "sections">) {
  return (
    <ul className="mt-1 mb-3 ml-3 border-l border-border pl-2">
      {sections.map(({ id, label }) => (
        <li key={id}>
          <a href={`#${id}`} className={LINK}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
