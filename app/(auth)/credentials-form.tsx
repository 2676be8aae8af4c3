"use client";

import { useFormCheck } from "@/app/(auth)/use-form-check";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { PasswordInput } from "@/components/ui/password-input";
import { checkSignIn, checkSignUp, writePasswordHelp } from "@/lib/domain/credentials";

interface Props {
  action: FormAction;
  /** The path to open afterwards. */
  next: string;
  isNew: boolean;
}

/** The form for signing in and for signing up. Its errors are its own, not the browser's bubbles. */
export function CredentialsForm({ action, next, isNew }: Props) {
  const { submit, failure, getError, getText } = useActionForm(action);
  const { problems, onSubmit } = useFormCheck((read) => {
    const typed = { email: read("email"), password: read("password") };
    return isNew ? checkSignUp(typed) : checkSignIn(typed);
  });
  const findError = (field: string) => {
    if (problems.length === 0) return getError(field);
    return problems.find((problem) => problem.field === field)?.message ?? null;
  };
  const help = isNew ? writePasswordHelp(findError("password")) : null;
  return (
    <form action={submit} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      <FormFailure failure={failure} />
      <Field label="Email" htmlFor="email" error={findError("email")}>
        <input
          {...describedBy("email", { error: findError("email") })}
          className="control"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          defaultValue={getText("email")}
        />
      </Field>
      <Field label="Password" htmlFor="password" help={help} error={findError("password")}>
        <PasswordInput
          {...describedBy("password", { help, error: findError("password") })}
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
