"use client";

import { FailedPage } from "@/components/system/failed-page";

interface Props {
  error: Error & { digest?: string };
  retry: () => void;
}

/** Replaces only the page; the shell stays. */
export default function ErrorPage({ error, retry }: Props) {
  return <FailedPage digest={error.digest} retry={retry} />;
}
