"use client";

import { getButtonClasses } from "@/components/ui/button-classes";

interface Props {
  /** The reference to the error in the server's log. */
  digest: string | undefined;
  retry: () => void;
}

/** The error page. */
export function FailedPage({ digest, retry }: Props) {
  return (
    <div role="alert" className="mx-auto w-full max-w-108 py-8">
      <title>This page didn&rsquo;t load · Ante</title>
      <h1 className="text-title">This page didn&rsquo;t load.</h1>
      <p className="mt-1 text-text-2">
        Something went wrong on our side. If you were changing something, check whether it went
        through before you try again.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" onClick={retry} className={getButtonClasses({ tone: "primary" })}>
          Retry
        </button>
        <a href="/status" className={getButtonClasses({})}>
          Status
        </a>
      </div>
      {digest !== undefined && (
        <details className="mt-4 text-small text-text-2">
          <summary className="min-h-6">Details</summary>
          <p className="mt-1">
            Log reference: <code className="font-mono text-caption">{digest}</code>
          </p>
        </details>
      )}
    </div>
  );
}
