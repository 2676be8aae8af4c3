"use client";

import { type SectionProps, SettingsForm } from "@/components/settings/settings-form";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";

interface Props extends SectionProps {
  email: string;
  minLength: number;
}

/** The form to change the password. */
export function PasswordForm({ email, minLength, ...section }: Props) {
  const help = `At least ${minLength} characters. A short phrase works well.`;
  return (
    <SettingsForm
      {...section}
      saveLabel="Change password"
      savedText="Password changed. All other browsers were signed out."
    >
      {({ getError }) => (
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
        </>
      )}
    </SettingsForm>
  );
}
