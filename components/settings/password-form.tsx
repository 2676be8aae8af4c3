"use client";

import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { writePasswordHelp } from "@/lib/domain/credentials";

interface Props extends SectionProps {
  email: string;
  proof: FormProof;
}

/** The form to change the password. */
export function PasswordForm({ email, proof, ...section }: Props) {
  return (
    <SettingsForm
      {...section}
      saveLabel="Change password"
      isSecret
      proof={proof}
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
            <NewPassword error={getError("password")} />
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

function NewPassword({ error }: { error: string | null }) {
  const help = writePasswordHelp(error);
  return (
    <Field label="New password" htmlFor="password" help={help} error={error}>
      <PasswordInput
        {...describedBy("password", { help, error })}
        name="password"
        autoComplete="new-password"
      />
    </Field>
  );
}
