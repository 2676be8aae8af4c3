"use client";

import { useEffect, useRef } from "react";
import { PrintButton } from "@/components/activity/print-button";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { ButtonLink } from "@/components/ui/button";
import { getButtonClasses } from "@/components/ui/button-classes";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";

interface Props {
  codes: readonly string[];
  /** The change that created them, which the security page then confirms. Only "codes" replaces others. */
  done: "app" | "codes" | "passkey";
}

/** New recovery codes, which no other page shows. */
export function NewRecoveryCodes({ codes, done }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const text = codes.join("\n");
  return (
    <section className="card flex flex-col gap-4 p-4 sm:p-6">
      <h2 ref={title} tabIndex={-1} className="text-heading outline-none">
        Your recovery codes
      </h2>
      <Callout
        tone="warn"
        role="status"
        title="Save these codes now. You won&rsquo;t see them again."
      >
        Each one works once in place of your second factor, for example if you lose your phone. Keep
        them where you can reach them without this device.
        {done === "codes" && " Codes you had before no longer work."}
      </Callout>
      <ul className="grid gap-x-6 gap-y-1 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        <CopyButton text={text} label="Copy codes" hasText tone="secondary" size="normal" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="ante-recovery-codes.txt"
          className={getButtonClasses({})}
        >
          Download
        </a>
        <PrintButton tone="secondary" />
        <ButtonLink tone="primary" href={`${SECURITY_HREF}&done=${done}`} className="max-sm:w-full">
          I&rsquo;ve saved these codes
        </ButtonLink>
      </div>
    </section>
  );
}
