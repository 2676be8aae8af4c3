"use client";

import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { PasswordInput } from "@/components/ui/password-input";

interface Props {
  action: FormAction;
  /** The path to open afterwards. */
  next: string;
  isNew: boolean;
}

/** The form for signing in and for signing up. */
export function CredentialsForm({ action, next, isNew }: Props) {
  const { submit, failure, getError, getText } = useActionForm(action);
  const help = isNew ? "At least 12 characters. A short phrase works well." : null;
  return (
    <form action={submit} className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      <FormFailure failure={failure} />
      <Field label="Email" htmlFor="email" error={getError("email")}>
        <input
          {...describedBy("email", { error: getError("email") })}
          className="control"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={getText("email")}
        />
      </Field>
      <Field label="Password" htmlFor="password" help={help} error={getError("password")}>
        <PasswordInput
          {...describedBy("password", { help, error: getError("password") })}
          name="password"
          autoComplete={isNew ? "new-password" : "current-password"}
        />
      </Field>
      <SubmitButton
        tone="primary"
        size="large"
        isWide
        pendingLabel={isNew ? "Creating your account…" : "Signing in…"}
      >
        {isNew ? "Create account" : "Sign in"}
      </SubmitButton>
    </form>
  );
}
