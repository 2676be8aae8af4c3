"use client";

import { FailedPage } from "@/components/system/failed-page";

interface Props {
  error: Error & { digest?: string };
  retry: () => void;
}

/** The shell stays; only the page is replaced. */
export default function ErrorPage({ error, retry }: Props) {
  return <FailedPage digest={error.digest} retry={retry} />;
}
