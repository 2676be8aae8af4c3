import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import type { ReactNode } from "react";
import { listChapters } from "@/app/docs/_lib/reference";
import { DocsHeader } from "@/components/docs/docs-header";
import { DocsNav } from "@/components/docs/docs-nav";
import { sessionCookieName } from "@/lib/auth/session-cookie";

export const metadata: Metadata = {
  title: { default: "API reference · Ante docs", template: "%s · Ante docs" },
};

const LINK = "link inline-flex min-h-11 items-center lg:min-h-8";

/** The documentation is public and works without the database. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const isSignedIn = (await cookies()).has(sessionCookieName());
  const chapters = listChapters().map(({ group, operations }) => ({
    title: group,
    items: operations.map(({ id, title }) => ({ href: `#${id}`, label: title })),
  }));
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute -top-20 left-2 z-50 rounded-control bg-ink px-3 py-2 text-on-ink focus:top-2"
      >
        Skip to content
      </a>
      <DocsHeader isSignedIn={isSignedIn} />
      <div className="mx-auto grid w-full max-w-[1440px] flex-1 gap-x-8 gap-y-4 px-4 max-lg:content-start max-lg:pt-4 lg:grid-cols-[220px_minmax(0,1fr)] lg:px-6">
        <div className="min-w-0">
          <DocsNav chapters={chapters} />
        </div>
        <main id="main" className="min-w-0 lg:py-6">
          {children}
        </main>
      </div>
      <footer className="border-t border-border px-4 py-6 lg:px-6">
        <p className="mx-auto flex max-w-[1392px] flex-wrap items-center gap-x-4 text-small text-text-2">
          <span>Ante, a betting account service for prediction markets.</span>
          <a className={LINK} href="/v1/openapi.json">
            OpenAPI document
          </a>
          <a className={LINK} href="/llms.txt">
            llms.txt
          </a>
          <Link className={LINK} href="/sign-in" prefetch={false}>
            Sign in
          </Link>
        </p>
      </footer>
    </div>
  );
}
