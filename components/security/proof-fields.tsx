"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { PasskeyButton, type StartPasskeyCheck } from "@/components/security/passkey-button";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import type { ActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { useOffersPasskey } from "@/components/security/use-offers-passkey";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import type { PasskeySupport, ProofNeed } from "@/lib/domain/second-factor";

/** The proof that a form of a guarded action asks for. The page reads it with `loadProof`. */
export interface FormProof {
  need: ProofNeed;
  /** The signed-in account, for password managers. */
  email: string;
  passkeySupport: PasskeySupport;
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
          proof={proof}
          form={form}
          isOptional={isOptional}
          isAlone={isAlone}
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

interface FactorProps extends Required<Pick<Props, "proof" | "form" | "isOptional" | "isAlone">> {
  id: string;
  need: Extract<ProofNeed, { kind: "factor" }>;
}

/** A passkey is the main way to confirm, and sends the form. The code is the other way. */
function FactorFields({ id, need, proof, form, isOptional, isAlone }: FactorProps) {
  const offersPasskey = useOffersPasskey(proof);
  const label = need.hasApp ? "Code from your authenticator app" : "Recovery code";
  const help = need.hasApp
    ? "Six digits, or one of your recovery codes."
    : "One of your ten codes.";
  // Without any proof, the main way is the one to point at.
  const isMissing = offersPasskey && form.failure?.code === "SECOND_FACTOR_REQUIRED";
  const codeError = form.getError("code");
  const error = isMissing ? null : codeError;
  return (
    <fieldset className={`flex flex-col gap-4 ${isAlone ? "" : "max-w-sm"}`}>
      <legend className={isAlone ? "sr-only" : "mb-2 font-[550]"}>Confirm it&rsquo;s you</legend>
      {offersPasskey && (
        <>
          <PasskeyButton
            id={`${id}-passkey`}
            start={proof.startPasskeyCheck}
            error={form.getError("passkey") ?? (isMissing ? codeError : null)}
            look={isAlone ? ALONE : { tone: isOptional ? "secondary" : "primary" }}
            autoFocus={isAlone}
          />
          <Or />
        </>
      )}
      <PasskeyElsewhere proof={proof} />
      <Field label={label} htmlFor={id} help={help} error={error}>
        <input
          {...describedBy(id, { help, error })}
          className="control font-mono"
          name="code"
          autoFocus={isAlone && !offersPasskey}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
        />
      </Field>
    </fieldset>
  );
}

const ALONE = { tone: "primary", size: "large", isWide: true } as const;

function Or() {
  return (
    <p className="flex items-center gap-3 text-small text-text-2 before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border noscript:hidden">
      or
    </p>
  );
}

/** Says where the user's passkeys work, if they don't work at this address. */
function PasskeyElsewhere({ proof: { need, passkeySupport } }: Pick<Props, "proof">) {
  if (need.kind !== "factor" || !need.hasPasskeys) return null;
  if (passkeySupport === "here" || passkeySupport === "nowhere") return null;
  return (
    <p className="text-text-2">
      Your passkeys work at{" "}
      <a href={passkeySupport.at} className="link">
        {passkeySupport.at}
      </a>
      .
    </p>
  );
}
