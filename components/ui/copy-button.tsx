"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { Look } from "@/components/ui/button-classes";

const SHOWN_MS = 2000;

interface Props extends Pick<Look, "tone" | "size"> {
  text: string;
  /** The accessible name: "Copy address". */
  label: string;
  /** Whether the label is shown beside the icon. */
  hasText?: boolean;
  /** A shorter text beside the icon. */
  word?: string;
}

export function CopyButton(props: Props) {
  const { text, label, hasText = false, word, tone = "quiet", size = "small" } = props;
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      tone={tone}
      size={size}
      onClick={copy}
      aria-label={hasText ? undefined : label}
      className="noscript:hidden"
    >
      <Icon aria-hidden="true" className="size-4" />
      {hasText && (isCopied ? "Copied" : label)}
      {word}
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </Button>
  );
}
