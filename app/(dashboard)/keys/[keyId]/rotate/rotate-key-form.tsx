"use client";

import { useActionState } from "react";
import { type KeyFormAction, type KeyFormState, OVERLAPS } from "@/app/(dashboard)/keys/key-form";
import { NewKey } from "@/components/keys/new-key";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: KeyFormAction;
  keyId: string;
  origin: string;
}

/** Asks how long the old key goes on, then shows the new one once. */
export function RotateKeyForm({ action, keyId, origin }: Props) {
  const [state, submit] = useActionState<KeyFormState, FormData>(action, { status: "idle" });
  if (state.status === "made") {
    return <NewKey apiKey={state.apiKey} name={state.name} note={state.note} origin={origin} />;
  }
  const failure = state.status === "failed" ? state : null;
  const chosen = failure?.values["overlap"] ?? "24";
  return (
    <form action={submit} className="card flex flex-col gap-5 p-4 sm:p-6">
      <input type="hidden" name="keyId" value={keyId} />
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <RadioCards
        legend="When does the old key end?"
        error={failure?.field === "overlap" ? failure.message : null}
      >
        {OVERLAPS.map(({ value, label, help }) => (
          <RadioCard
            key={value}
            name="overlap"
            value={value}
            title={label}
            isChosen={value === chosen}
          >
            {help}
          </RadioCard>
        ))}
      </RadioCards>
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" pendingLabel="Rotating…">
          Rotate key
        </SubmitButton>
        <ButtonLink href="/keys">Keep the old key</ButtonLink>
      </div>
    </form>
  );
}
