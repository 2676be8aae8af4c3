"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

const SHOWN_MS = 2000;

interface Props {
  text: string;
  /** What is copied, for its accessible name: "Copy address". */
  label: string;
  /** Shows the label beside the icon. */
  hasText?: boolean;
  /** A word of the label, shown beside the icon where there is no room for all of it. */
  word?: string;
}

export function CopyButton({ text, label, hasText = false, word }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button tone="quiet" size="small" onClick={copy} aria-label={hasText ? undefined : label}>
      <Icon aria-hidden="true" className="size-4" />
      {hasText && (isCopied ? "Copied" : label)}
      {word}
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </Button>
  );
}
