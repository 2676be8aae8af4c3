import { Search } from "lucide-react";

interface Props {
  id: string;
  /** The accessible name. */
  label?: string;
  query?: string;
  /** Whether the key "/" focuses it, which the field then shows. */
  hasKey?: boolean;
}

/** Searches the documentation, without JavaScript. */
export function SearchForm({ id, label = "Search the docs", query = "", hasKey = false }: Props) {
  return (
    <form action="/docs/search" role="search" aria-label={label} className="relative w-full">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-text-3"
      />
      <input
        id={id}
        name="q"
        type="search"
        defaultValue={query}
        maxLength={100}
        placeholder="Search the docs"
        autoComplete="off"
        className="peer control pl-9"
      />
      {hasKey && (
        <kbd
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-[4px] border border-border px-1.5 text-caption text-text-3 peer-focus:hidden peer-[:not(:placeholder-shown)]:hidden noscript:hidden max-lg:hidden"
        >
          /
        </kbd>
      )}
    </form>
  );
}
