"use client";

import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { startTransition, useActionState, useEffect, useState } from "react";
import type { FactorFormAction, FactorFormState } from "@/components/security/factor-form";
import { NewRecoveryCodes } from "@/components/security/new-recovery-codes";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { type ActionState, FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { EmptyState } from "@/components/ui/states";

/** The state of the first step: what the browser needs to create a passkey. */
type StartState =
  ActionState | { status: "ready"; options: PublicKeyCredentialCreationOptionsJSON; name: string };

export type StartPasskey = (state: StartState, form: FormData) => Promise<StartState>;

interface Props {
  start: StartPasskey;
  finish: FactorFormAction;
  proof: FormProof;
  maxName: number;
  /** The name that the field suggests. */
  suggestedName: string;
}

const NAME_HELP = "For example, the device or password manager that keeps it.";

/** Adds a passkey: the server checks the proof, the browser creates the passkey, the server stores it. */
export function PasskeyForm({ start, finish, proof, maxName, suggestedName }: Props) {
  const { state, submit, ...form } = useActionForm<StartState>(start);
  const { codes, problem, isBusy } = useCreatedPasskey(state, finish);
  if (codes) return <NewRecoveryCodes codes={codes} done="passkey" />;
  return (
    <>
      <noscript>
        <section className="card">
          <EmptyState action={<ButtonLink href="/settings/security/app">Set up an app</ButtonLink>}>
            Passkeys need JavaScript. An authenticator app works without it.
          </EmptyState>
        </section>
      </noscript>
      <form
        action={submit}
        noValidate
        className="card flex flex-col gap-5 p-4 sm:p-6 noscript:hidden"
      >
        <FormFailure failure={form.failure} />
        <Field label="Name" htmlFor="name" help={NAME_HELP} error={form.getError("name")}>
          <input
            {...describedBy("name", { help: NAME_HELP, error: form.getError("name") })}
            className="control max-w-sm"
            name="name"
            required
            maxLength={maxName}
            autoComplete="off"
            defaultValue={form.getText("name", suggestedName)}
          />
        </Field>
        <ProofFields proof={proof} form={form} />
        <p role="status" className="text-danger empty:hidden">
          {problem}
        </p>
        <div className="flex flex-wrap gap-2">
          <ProofSubmit proof={proof} pendingLabel="Checking…" isUnavailable={isBusy}>
            Add passkey
          </ProofSubmit>
          <ButtonLink href={SECURITY_HREF}>Back to security</ButtonLink>
        </div>
      </form>
    </>
  );
}

const NOT_CREATED = "No passkey was created. Try again.";

/** Creates the passkey once the server is ready for it, and sends it to the server. */
function useCreatedPasskey(state: StartState, finish: FactorFormAction) {
  const [finished, send, isSending] = useActionState<FactorFormState, FormData>(finish, {
    status: "idle",
  });
  const [failedFor, setFailedFor] = useState<StartState | null>(null);
  useEffect(() => {
    if (state.status !== "ready") return;
    const create = async () => {
      const form = new FormData();
      form.set("name", state.name);
      form.set("passkey", await createPasskey(state.options));
      startTransition(() => send(form));
    };
    create().catch(() => setFailedFor(state));
  }, [state, send]);
  const hasFailed = failedFor === state && state.status === "ready";
  const refusal = finished.status === "failed" ? finished.message : null;
  return {
    codes: finished.status === "made" ? finished.codes : null,
    problem: hasFailed ? NOT_CREATED : refusal,
    isBusy: isSending,
  };
}

async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  return JSON.stringify(await startRegistration({ optionsJSON: options }));
}
