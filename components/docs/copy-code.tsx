"use client";

import { Check, Copy } from "lucide-react";
import { type MouseEvent, useState } from "react";

const SHOWN_MS = 2000;

/** Copies the code of its block from the DOM, so that the page doesn't contain the text twice. */
export function CopyCode({ label }: { label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (event: MouseEvent<HTMLButtonElement>) => {
    const codes = event.currentTarget.closest("[data-code]")?.querySelectorAll("code") ?? [];
    // A sample in several languages shows one of them.
    const shown = [...codes].find((code) => code.offsetParent !== null);
    await navigator.clipboard.writeText(shown?.textContent ?? "");
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={`Copy ${label}`}
      onClick={copy}
      className="grid size-11 place-items-center rounded-control text-text-2 hover:bg-surface-3 hover:text-text lg:size-8 noscript:hidden"
    >
      <Icon aria-hidden="true" className="size-4" />
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </button>
  );
}
