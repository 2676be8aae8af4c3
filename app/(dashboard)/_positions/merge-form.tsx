"use client";

import { useState } from "react";
import type { z } from "zod";
import { Money, Shares } from "@/components/format/values";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import type { MergeablePairs } from "@/lib/schemas/portfolio";

type PairsWire = z.input<typeof MergeablePairs>;

interface Props {
  pairs: PairsWire;
  action: FormAction;
  /** The idempotency key of this form's merge. */
  formKey: string;
}

/**
 * Merges all pairs of a market. It opens to the question, which names what is given and paid, also without
 * JavaScript. A repeated attempt has the key of the first.
 */
export function MergeForm({ pairs, action, formKey }: Props) {
  const { submit, failure, getText } = useActionForm(action);
  const [key] = useState(() => getText("key", formKey));
  const { marketId, marketTitle, outcomes, shares } = pairs;
  return (
    <details className="min-w-0" open={failure !== null}>
      <summary className="inline-flex min-h-11 items-center link">
        <span>
          Merge{" "}
          {outcomes.map((name, index) => (
            <span key={name}>
              {index > 0 && " and "}
              <Shares shares={shares} /> {name}
            </span>
          ))}{" "}
          into <Money usdc={shares} />
          <span className="sr-only">, {marketTitle}</span>
        </span>
      </summary>
      <form action={submit} className="flex flex-col gap-3 pb-3">
        <PageModeField />
        <input type="hidden" name="marketId" value={marketId} />
        <input type="hidden" name="shares" value={shares} />
        <input type="hidden" name="key" value={key} />
        <FormFailure failure={failure} />
        <p>
          You give up{" "}
          {outcomes.map((name, index) => (
            <span key={name}>
              {index > 0 && " and "}
              <Shares shares={shares} /> {name}
            </span>
          ))}{" "}
          shares and get <Money usdc={shares} />. There is no fee. This can&rsquo;t be undone.
        </p>
        <div>
          <SubmitButton tone="primary" pendingLabel="Merging…">
            <span>
              Merge and get <Money usdc={shares} />
              <span className="sr-only">, {marketTitle}</span>
            </span>
          </SubmitButton>
        </div>
      </form>
    </details>
  );
}
