"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { formatClock, formatDay } from "@/components/format/times";

interface Props {
  /** When the server rendered the page, in milliseconds since the epoch. */
  openedAt: number;
  zone: string;
}

/**
 * When a page was printed, because its figures update until then. Without JavaScript, when it was opened.
 */
export function PrintTime({ openedAt, zone }: Props) {
  const [printedAt, setPrintedAt] = useState<number | null>(null);
  useEffect(() => {
    // The browser prints the page as it is when the listeners return.
    const notePrinting = () => flushSync(() => setPrintedAt(Date.now()));
    addEventListener("beforeprint", notePrinting);
    return () => removeEventListener("beforeprint", notePrinting);
  }, []);
  const at = new Date(printedAt ?? openedAt).toISOString();
  return (
    <time dateTime={at}>
      {printedAt === null ? "Opened" : "Printed"} {formatDay(at, zone)},{" "}
      {formatClock(Date.parse(at), { zone, hour12: false })}
    </time>
  );
}
