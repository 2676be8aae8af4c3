import { Search } from "lucide-react";
import { SearchForm } from "@/components/docs/search-form";
import { SearchKeys } from "@/components/docs/search-keys";
import { Mark } from "@/components/shell/mark";
import { getButtonClasses } from "@/components/ui/button-classes";

const SEARCH_ID = "docs-search";

/** The documentation's header, which also works without an account. */
export function DocsHeader({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <header data-bar="" className="sticky top-0 z-30 border-b border-border bg-surface">
      <div className="mx-auto flex h-14 max-w-360 items-center gap-2 px-4 sm:gap-4 lg:px-6">
        <a href="/docs" className="flex h-11 items-center gap-2 text-heading">
          <Mark /> Ante <span className="font-normal text-text-2">docs</span>
        </a>
        <div className="ml-auto w-56 max-sm:hidden">
          <SearchForm id={SEARCH_ID} hasKey />
          <SearchKeys fieldId={SEARCH_ID} />
        </div>
        <nav aria-label="Machine-readable" className="flex items-center gap-4 max-md:hidden">
          <a className="link inline-flex min-h-11 items-center lg:min-h-8" href="/v1/openapi.json">
            OpenAPI
          </a>
          <a className="link inline-flex min-h-11 items-center lg:min-h-8" href="/llms.txt">
            llms.txt
          </a>
        </nav>
        <a
          href="/docs/search"
          aria-label="Search the docs"
          className="ml-auto grid size-11 place-items-center rounded-control text-text-2 hover:bg-surface-2 sm:hidden"
        >
          <Search aria-hidden="true" className="size-5" />
        </a>
        <div>
          <a href={isSignedIn ? "/" : "/sign-in"} className={getButtonClasses({})}>
            {isSignedIn ? "Open dashboard" : "Sign in"}
          </a>
        </div>
      </div>
    </header>
  );
}
