"use client";

import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

interface Props extends ComponentProps<typeof Button> {
  /** The label while the form's action runs. */
  pendingLabel: string;
}

/** The submit button of a form with a server action. It is disabled while the action runs. */
export function SubmitButton({ pendingLabel, children, disabled, ...rest }: Props) {
  const { pending } = useFormStatus();
  return (
    <Button type="submit" disabled={disabled === true || pending} aria-busy={pending} {...rest}>
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
