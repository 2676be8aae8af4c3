"use client";

import { FailedPage } from "@/components/system/failed-page";

interface Props {
  error: Error & { digest?: string };
  retry: () => void;
}

export default function ErrorPage({ error, retry }: Props) {
  return (
    <main className="px-4">
      <FailedPage digest={error.digest} retry={retry} />
    </main>
  );
}
