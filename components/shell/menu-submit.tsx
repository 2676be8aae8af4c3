"use client";

import type { ReactNode } from "react";
import { useFormWork } from "@/components/ui/submit-button";

interface Props {
  /** The label while the form's action runs. */
  pendingLabel: string;
  className: string;
  children: ReactNode;
}

/** A menu item that submits the form around it. */
export function MenuSubmit({ pendingLabel, className, children }: Props) {
  const isRunning = useFormWork();
  return (
    <button type="submit" disabled={isRunning} aria-busy={isRunning} className={className}>
      {isRunning ? pendingLabel : children}
    </button>
  );
}
