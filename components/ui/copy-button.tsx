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
}

export function CopyButton({ text, label, hasText = false }: Props) {
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
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </Button>
  );
}
