"use client";

import type { ComponentProps } from "react";
import type { FormProof } from "@/components/security/proof-fields";
import { useOffersPasskey } from "@/components/security/use-offers-passkey";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props extends ComponentProps<typeof SubmitButton> {
  /** Null if the form asks for none. */
  proof: FormProof | null;
}

/** The submit button of a form with `ProofFields`. It is quiet while the passkey's button is the main one. */
export function ProofSubmit({ proof, tone = "primary", ...rest }: Props) {
  const isMain = tone !== "primary" || !useOffersPasskey(proof);
  return isMain ? (
    <SubmitButton tone={tone} {...rest} />
  ) : (
    <SubmitButton tone="secondary" className={MAIN_WITHOUT_SCRIPT} {...rest} />
  );
}

/** Without JavaScript there is no passkey's button. */
const MAIN_WITHOUT_SCRIPT =
  "noscript:border-transparent noscript:bg-ink noscript:text-on-ink noscript:hover:bg-ink";
