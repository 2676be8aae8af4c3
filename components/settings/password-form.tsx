"use client";

import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";

interface Props extends SectionProps {
  email: string;
  minLength: number;
  proof: FormProof;
}

/** The form to change the password. */
export function PasswordForm({ email, minLength, proof, ...section }: Props) {
  const help = `At least ${minLength} characters. A short phrase works well.`;
  return (
    <SettingsForm
      {...section}
      saveLabel="Change password"
      savedText="Password changed. All other browsers were signed out."
    >
      {({ failure, getError }) => (
        <>
          {/* Tells password managers the account. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <div className="max-w-sm">
            <Field label="Current password" htmlFor="current" error={getError("current")}>
              <PasswordInput
                {...describedBy("current", { error: getError("current") })}
                name="current"
                autoComplete="current-password"
              />
            </Field>
          </div>
          <div className="max-w-sm">
            <Field label="New password" htmlFor="password" help={help} error={getError("password")}>
              <PasswordInput
                {...describedBy("password", { help, error: getError("password") })}
                name="password"
                autoComplete="new-password"
              />
            </Field>
          </div>
          {/* The form asks for the current password in any case. */}
          {proof.need.kind !== "password" && (
            <ProofFields proof={proof} form={{ failure, getError }} />
          )}
        </>
      )}
    </SettingsForm>
  );
}
