"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { PasskeyButton, type StartPasskeyCheck } from "@/components/security/passkey-button";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import type { ActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import type { ProofNeed } from "@/lib/domain/second-factor";

/** The proof that a form of a guarded action asks for. The page reads it with `loadProof`. */
export interface FormProof {
  need: ProofNeed;
  /** The signed-in account, for password managers. */
  email: string;
  startPasskeyCheck: StartPasskeyCheck;
}

interface Props {
  proof: FormProof;
  form: Pick<ActionForm, "failure" | "getError">;
  /** Starts the ids of the fields, where a page has several of these forms. */
  idPrefix?: string;
  /** Whether the form can be sent without the proof, because only some changes need it. */
  isOptional?: boolean;
  /** Whether the page asks for nothing else, so that its first field takes the focus. */
  isAlone?: boolean;
}

/**
 * The fields of a form that prove who is there, for any action that calls `requireFreshFactor`: the
 * password, or a passkey or code once a second factor is set up, or nothing if it was proven a moment
 * ago. The code works without JavaScript.
 */
export function ProofFields(props: Props): ReactNode {
  const { proof, form, idPrefix = "", isOptional = false, isAlone = false } = props;
  const { need, email } = proof;
  useCurrentNeed(form.failure);
  switch (need.kind) {
    case "nothing":
      return null;
    case "missing":
      return <MissingFactor />;
    case "password":
      return (
        <PasswordField
          id={`${idPrefix}current`}
          email={email}
          isOptional={isOptional}
          error={form.getError("current")}
        />
      );
    case "factor":
      return (
        <FactorFields
          id={`${idPrefix}code`}
          need={need}
          startPasskeyCheck={proof.startPasskeyCheck}
          isAlone={isAlone}
          error={form.getError("code")}
        />
      );
  }
}

/** Asks the server again after a failure: the proof may have become stale, or have been accepted. */
function useCurrentNeed(failure: ActionForm["failure"]): void {
  const router = useRouter();
  useEffect(() => {
    if (failure !== null) router.refresh();
  }, [failure, router]);
}

function MissingFactor() {
  return (
    <Callout tone="warn" title="This needs a second factor.">
      The operator of this server requires one, and you haven&rsquo;t set one up.{" "}
      <Link href={SECURITY_HREF} className="link">
        Set up a second factor
      </Link>
    </Callout>
  );
}

const PASSWORD_HELP = "Confirm your password to continue.";

interface PasswordProps {
  id: string;
  email: string;
  isOptional: boolean;
  error: string | null;
}

function PasswordField({ id, email, isOptional, error }: PasswordProps) {
  return (
    <>
      {/* Tells password managers the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <div className="max-w-sm">
        <Field label="Your Ante password" htmlFor={id} help={PASSWORD_HELP} error={error}>
          <PasswordInput
            {...describedBy(id, { help: PASSWORD_HELP, error })}
            name="current"
            required={!isOptional}
            autoComplete="current-password"
          />
        </Field>
      </div>
    </>
  );
}

interface FactorProps {
  id: string;
  need: Extract<ProofNeed, { kind: "factor" }>;
  startPasskeyCheck: StartPasskeyCheck;
  isAlone: boolean;
  error: string | null;
}

function FactorFields({ id, need, startPasskeyCheck, isAlone, error }: FactorProps) {
  const { hasPasskeys, hasApp } = need;
  const label = hasApp ? "Code from your authenticator app" : "Recovery code";
  const help = hasApp ? "Six digits, or one of your recovery codes." : "One of your ten codes.";
  return (
    <fieldset className="flex max-w-sm flex-col gap-4">
      <legend className={isAlone ? "sr-only" : "mb-2 font-[550]"}>Confirm it&rsquo;s you</legend>
      {hasPasskeys && <PasskeyButton start={startPasskeyCheck} autoFocus={isAlone && !hasApp} />}
      <Field label={label} htmlFor={id} help={help} error={error}>
        <input
          {...describedBy(id, { help, error })}
          className="control font-mono"
          name="code"
          autoFocus={isAlone && (hasApp || !hasPasskeys)}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
        />
      </Field>
    </fieldset>
  );
}
