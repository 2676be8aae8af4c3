import type { Metadata } from "next";
import { searchDocs, type SearchHit } from "@/app/docs/_lib/search";
import { Article } from "@/components/docs/article";
import { SearchForm } from "@/components/docs/search-form";

export const metadata: Metadata = { title: "Search", robots: { index: false } };

interface Props {
  searchParams: Promise<{ q?: string | string[] }>;
}

export default async function SearchPage({ searchParams }: Props) {
  const { q = "" } = await searchParams;
  const query = [q].flat().join(" ").slice(0, 100);
  const hits = searchDocs(query);
  return (
    <Article path={null} title="Search" lead={describeHits(query, hits.length)}>
      <div className="mt-4 max-w-100">
        <SearchForm id="docs-search-page" label="Search again" query={query} />
      </div>
      {hits.length > 0 && (
        <ol aria-label="Results" className="mt-6 card divide-y divide-border overflow-hidden">
          {hits.map((hit) => (
            <Hit key={hit.href} hit={hit} />
          ))}
        </ol>
      )}
    </Article>
  );
}

function describeHits(query: string, count: number): string {
  if (query.trim() === "") return "Find operations, fields, guides and error codes.";
  if (count === 0) return `Nothing matches “${query}”. Try another word.`;
  return `${count} ${count === 1 ? "result" : "results"} for “${query}”.`;
}

function Hit({ hit: { href, title, place, summary } }: { hit: SearchHit }) {
  return (
    <li>
      <a href={href} className="flex min-h-11 flex-col gap-0.5 px-3 py-2 hover:bg-surface-2">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-[550] wrap-anywhere">{title}</span>
          <span className="text-caption wrap-anywhere text-text-3">{place}</span>
        </span>
        {summary !== "" && <span className="text-text-2">{summary}</span>}
      </a>
    </li>
  );
}
