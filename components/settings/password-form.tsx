"use client";

import type { SectionProps } from "@/components/settings/form-state";
import { SettingsForm } from "@/components/settings/settings-form";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";

interface Props extends SectionProps {
  email: string;
  minLength: number;
}

/** A new password, after the old one. */
export function PasswordForm({ email, minLength, ...section }: Props) {
  const help = `At least ${minLength} characters. A sentence works well.`;
  return (
    <SettingsForm
      {...section}
      saveLabel="Change password"
      savedText="Password changed. Every other browser is signed out."
    >
      {({ errorOf }) => (
        <>
          {/* Tells a password manager whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <div className="max-w-sm">
            <Field label="Current password" htmlFor="current" error={errorOf("current")}>
              <PasswordInput
                {...describedBy("current", { error: errorOf("current") })}
                name="current"
                autoComplete="current-password"
              />
            </Field>
          </div>
          <div className="max-w-sm">
            <Field label="New password" htmlFor="password" help={help} error={errorOf("password")}>
              <PasswordInput
                {...describedBy("password", { help, error: errorOf("password") })}
                name="password"
                autoComplete="new-password"
              />
            </Field>
          </div>
        </>
      )}
    </SettingsForm>
  );
}
