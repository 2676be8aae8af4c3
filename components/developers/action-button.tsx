"use client";

import type { ReactNode } from "react";
import { PageModeField } from "@/components/shell/page-mode";
import { type FormAction, useActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: FormAction;
  /** Hidden fields, such as the id of what is changed. */
  fields: Readonly<Record<string, string>>;
  pendingLabel: string;
  /** The button's label. */
  label: string;
  /** Fields before the button. */
  children?: ReactNode;
}

/** A small form whose outcome is said below it. */
export function ActionButton({ action, fields, pendingLabel, label, children }: Props) {
  const { state, submit } = useActionForm(action);
  return (
    <form action={submit} className="flex flex-col gap-2">
      <PageModeField />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <p>
        <SubmitButton pendingLabel={pendingLabel}>{label}</SubmitButton>
      </p>
      {state.status !== "idle" && (
        <Callout
          tone={state.status === "failed" ? "danger" : "info"}
          role={state.status === "failed" ? "alert" : "status"}
        >
          {state.message}
        </Callout>
      )}
    </form>
  );
}
