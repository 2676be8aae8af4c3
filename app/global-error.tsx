"use client";

import { FailedPage } from "@/components/system/failed-page";
import "./globals.css";

interface Props {
  error: Error & { digest?: string };
  retry: () => void;
}

/** Even the layout broke: this one brings its own. */
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
