import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { DocsHeader } from "@/components/docs/docs-header";
import { sessionCookieName } from "@/lib/auth/session-cookie";

export const metadata: Metadata = {
  title: { default: "API reference · Ante docs", template: "%s · Ante docs" },
};

const LINK = "link inline-flex min-h-11 items-center lg:min-h-8";

/** The documentation is public and works without the database. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const isSignedIn = (await cookies()).has(sessionCookieName());
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute -top-20 left-2 z-50 rounded-control bg-ink px-3 py-2 text-on-ink focus:top-2"
      >
        Skip to content
      </a>
      <DocsHeader isSignedIn={isSignedIn} />
      {children}
      <footer className="border-t border-border px-4 py-6 lg:px-6">
        <p className="mx-auto flex max-w-348 flex-wrap items-center gap-x-4 text-small text-text-2">
          <span>Ante, a betting account service for prediction markets.</span>
          <a className={LINK} href="/v1/openapi.json">
            OpenAPI document
          </a>
          <a className={LINK} href="/llms.txt">
            llms.txt
          </a>
          <a className={LINK} href={isSignedIn ? "/" : "/sign-in"}>
            {isSignedIn ? "Dashboard" : "Sign in"}
          </a>
        </p>
      </footer>
    </div>
  );
}
