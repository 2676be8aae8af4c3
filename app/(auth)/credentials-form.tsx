"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { PasswordInput } from "@/components/ui/password-input";

interface Props {
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  /** Where to go afterwards. */
  next: string;
  isNew: boolean;
}

/** Email and password, for signing in and for signing up. */
export function CredentialsForm({ action, next, isNew }: Props) {
  const [state, submit] = useActionState<ActionState, FormData>(action, { status: "idle" });
  const failure = state.status === "failed" ? state : null;
  const errorOf = (field: string) => (failure?.field === field ? failure.message : null);
  const help = isNew ? "At least 12 characters. A sentence works well." : null;
  return (
    <form action={submit} className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <Field label="Email" htmlFor="email" error={errorOf("email")}>
        <input
          {...describedBy("email", { error: errorOf("email") })}
          className="control"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={failure?.values["email"] ?? ""}
        />
      </Field>
      <Field label="Password" htmlFor="password" help={help} error={errorOf("password")}>
        <PasswordInput
          {...describedBy("password", { help, error: errorOf("password") })}
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
