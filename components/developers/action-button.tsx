"use client";

import { PageModeField } from "@/components/shell/page-mode";
import { type ActionState, useActionForm } from "@/components/ui/action-form";
import { Callout } from "@/components/ui/callout";
import { SubmitButton } from "@/components/ui/submit-button";

/** The outcome of the action: done, failed, or done with something to look at. */
export type ButtonState = ActionState | { status: "warned"; message: string };

interface Props {
  action: (before: unknown, form: FormData) => Promise<ButtonState>;
  /** Hidden fields, such as the id of what is changed. */
  fields: Readonly<Record<string, string>>;
  pendingLabel: string;
  /** The button's label. */
  label: string;
}

const TONES = { done: "info", warned: "warn", failed: "danger" } as const;

/** A small form. Its outcome has a line of its own below all buttons beside it. */
export function ActionButton({ action, fields, pendingLabel, label }: Props) {
  const { state, submit } = useActionForm<ButtonState>(action);
  return (
    <form action={submit} className="contents">
      <PageModeField />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p>
        <SubmitButton pendingLabel={pendingLabel}>{label}</SubmitButton>
      </p>
      {state.status !== "idle" && (
        <div className="order-last w-full">
          <Callout tone={TONES[state.status]} role={state.status === "done" ? "status" : "alert"}>
            {state.message}
          </Callout>
        </div>
      )}
    </form>
  );
}
