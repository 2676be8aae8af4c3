"use client";

import { type ComponentProps, useEffect } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { startFormWork } from "@/lib/browser/form-work";

interface Props extends ComponentProps<typeof Button> {
  /** The label while the form's action runs. */
  pendingLabel: string;
}

/** Returns whether the action of the form around it runs, which the progress bar then shows. */
export function useFormWork(): boolean {
  const { pending } = useFormStatus();
  useEffect(() => (pending ? startFormWork() : undefined), [pending]);
  return pending;
}

/** The submit button of a form with a server action. While the action runs, a press does nothing. */
export function SubmitButton({ pendingLabel, children, isUnavailable = false, ...rest }: Props) {
  const pending = useFormWork();
  return (
    <Button type="submit" isUnavailable={pending || isUnavailable} aria-busy={pending} {...rest}>
      {pending ? (
        <>
          <Spinner /> {pendingLabel}
        </>
      ) : (
        children
      )}
    </Button>
  );
}
