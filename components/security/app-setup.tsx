"use client";

import { type ReactNode, useEffect, useRef } from "react";
import {
  type FactorFormAction,
  type FactorFormState,
  FactorForm,
} from "@/components/security/factor-form";
import { NewRecoveryCodes } from "@/components/security/new-recovery-codes";
import type { FormProof } from "@/components/security/proof-fields";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { type ActionForm, FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  start: FactorFormAction;
  confirm: FactorFormAction;
  proof: FormProof;
  /** The secret that is set up; null before the proof, and again once it is confirmed. */
  secret: ReactNode;
}

/**
 * Sets up an authenticator app: asks for the proof, shows the secret, asks for its first code. The
 * recovery codes of the last step stay on the page when it is rendered again without the secret.
 */
export function AppSetup({ start, confirm, proof, secret }: Props) {
  const { state, submit, ...form } = useActionForm<FactorFormState>(confirm);
  if (state.status === "made") {
    return (
      <Step at={2}>
        <NewRecoveryCodes codes={state.codes} done="app" />
      </Step>
    );
  }
  if (secret === null) {
    return (
      <Step at={0}>
        <FactorForm action={start} proof={proof} submitLabel="Continue" pendingLabel="Checking…" />
      </Step>
    );
  }
  return (
    <Step at={1}>
      {secret}
      <form action={submit} noValidate className="card flex flex-col gap-5 p-4 sm:p-6">
        <FormFailure failure={form.failure} />
        <CodeField form={form} />
        <div className="flex flex-wrap gap-2">
          <SubmitButton tone="primary" pendingLabel="Checking…">
            Turn on
          </SubmitButton>
          <ButtonLink href={SECURITY_HREF}>Back to security</ButtonLink>
        </div>
      </form>
    </Step>
  );
}

const STEPS = ["Confirm it’s you", "Connect the app", "Save recovery codes"] as const;

/** A step of the setup, below all steps. A later step takes the focus, because the button that led to it is gone. */
function Step({ at, children }: { at: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(at);
  useEffect(() => {
    if (shown.current === at) return;
    shown.current = at;
    // A step can focus a part of its own.
    if (document.activeElement === document.body) place.current?.focus();
  }, [at]);
  return (
    <div
      ref={place}
      role="group"
      aria-label={STEPS[at]}
      tabIndex={-1}
      className="flex flex-col gap-4 outline-none"
    >
      <ol aria-label="Steps" className="flex flex-wrap gap-x-6 gap-y-1 text-small">
        {STEPS.map((name, index) => (
          <li
            key={name}
            aria-current={index === at ? "step" : undefined}
            className={index === at ? "font-[550]" : "text-text-2"}
          >
            {index + 1}. {name}
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}

const HELP = "The six digits that the app shows now.";

function CodeField({ form }: { form: ActionForm }) {
  const error = form.getError("code");
  return (
    <div className="max-w-sm">
      <Field label="Code" htmlFor="code" help={HELP} error={error}>
        <input
          {...describedBy("code", { help: HELP, error })}
          className="control font-mono"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={10}
        />
      </Field>
    </div>
  );
}
