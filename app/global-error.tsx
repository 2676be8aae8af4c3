"use client";

import { FailedPage } from "@/components/system/failed-page";
import "./globals.css";

interface Props {
  error: Error & { digest?: string };
  retry: () => void;
}

/** The error page for failures of the root layout. It has its own layout. */
export default function GlobalError({ error, retry }: Props) {
  return (
    <html lang="en">
      <body>
        <main className="px-4">
          <FailedPage digest={error.digest} retry={retry} />
        </main>
      </body>
    </html>
  );
}
