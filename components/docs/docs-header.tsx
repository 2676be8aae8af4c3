import { Mark } from "@/components/shell/mark";
import { getButtonClasses } from "@/components/ui/button-classes";

/** The documentation's header, which also works without an account. */
export function DocsHeader({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <header data-bar="" className="sticky top-0 z-30 border-b border-border bg-surface">
      <div className="mx-auto flex h-14 max-w-360 items-center gap-4 px-4 lg:px-6">
        <a href="/docs" className="flex h-11 items-center gap-2 text-heading">
          <Mark /> Ante <span className="font-normal text-text-2">docs</span>
        </a>
        <nav
          aria-label="Machine-readable"
          className="ml-auto flex items-center gap-4 max-sm:hidden"
        >
          <a className="link inline-flex min-h-11 items-center lg:min-h-8" href="/v1/openapi.json">
            OpenAPI
          </a>
          <a className="link inline-flex min-h-11 items-center lg:min-h-8" href="/llms.txt">
            llms.txt
          </a>
        </nav>
        <div className="max-sm:ml-auto">
          <a href={isSignedIn ? "/" : "/sign-in"} className={getButtonClasses({})}>
            {isSignedIn ? "Open dashboard" : "Sign in"}
          </a>
        </div>
      </div>
    </header>
  );
}
