"use client";

import { useFormCheck } from "@/app/(auth)/use-form-check";
import { type FormAction, FormFailure, useActionForm } from "@/components/ui/action-form";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { SubmitButton } from "@/components/ui/submit-button";
import { findLengthProblem, writePasswordHelp } from "@/lib/domain/credentials";

interface Props {
  action: FormAction;
  token: string;
  email: string;
}

/** The form for a new password after a reset link. */
export function ResetPasswordForm({ action, token, email }: Props) {
  const { submit, failure, getError } = useActionForm(action);
  const { problems, onSubmit } = useFormCheck((read) => {
    const message = findLengthProblem(read("password"));
    return message === null ? [] : [{ field: "password", message }];
  });
  const error = problems[0]?.message ?? getError("password");
  const help = writePasswordHelp(error);
  return (
    <form action={submit} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <input type="hidden" name="token" value={token} />
      <FormFailure failure={failure} />
      <Field label="Email" htmlFor="email">
        <input
          id="email"
          className="control"
          name="username"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
        />
      </Field>
      <Field label="New password" htmlFor="password" help={help} error={error}>
        <PasswordInput
          {...describedBy("password", { help, error })}
          name="password"
          autoComplete="new-password"
        />
      </Field>
      <SubmitButton tone="primary" size="large" isWide pendingLabel="Saving…">
        Set new password
      </SubmitButton>
    </form>
  );
}
