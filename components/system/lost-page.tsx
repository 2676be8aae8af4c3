import type { ReactNode } from "react";
import { getButtonClasses } from "@/components/ui/button-classes";

const SIGNED_OUT_LINKS = [
  { href: "/sign-in", label: "Sign in" },
  { href: "/docs", label: "API reference" },
] as const;
const LINKS = [
  { href: "/", label: "Portfolio" },
  { href: "/markets", label: "Markets" },
  { href: "/orders", label: "Orders" },
  { href: "/docs", label: "API reference" },
] as const;

interface Props {
  title?: string;
  /** The sentence below the title. It tells the visitor how to go on. */
  children?: ReactNode;
  isSignedOut?: boolean;
}

/** The 404 page, with links and, for a user who is signed in, a search. */
export function LostPage({
  title = "We can’t find that page.",
  isSignedOut = false,
  children = isSignedOut
    ? "Check the address. Some pages need you to sign in."
    : "Check the address, or search the markets.",
}: Props) {
  return (
    <div className="mx-auto w-full max-w-108 py-8">
      <h1 className="text-title">{title}</h1>
      <p className="mt-1 text-text-2">{children}</p>
      {!isSignedOut && <Search />}
      <ul className="mt-4 flex flex-wrap gap-x-4">
        {(isSignedOut ? SIGNED_OUT_LINKS : LINKS).map(({ href, label }) => (
          <li key={href}>
            <a href={href} className="link inline-flex min-h-11 items-center lg:min-h-8">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Search() {
  return (
    <form action="/markets" role="search" aria-label="Find it" className="mt-4 flex gap-2">
      <label htmlFor="lost-search" className="sr-only">
        Search markets
      </label>
      <input
        id="lost-search"
        name="q"
        type="search"
        placeholder="Search markets"
        className="control"
      />
      <button type="submit" className={getButtonClasses({})}>
        Search
      </button>
    </form>
  );
}
