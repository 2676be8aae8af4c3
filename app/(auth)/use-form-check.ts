"use client";

import { type SubmitEvent, useState } from "react";

interface Problem {
  field: string;
  message: string;
}

/**
 * Checks a form before it is sent, by the rule that the server has. Focuses the field in error.
 *
 * @returns the message of a field, and the handler of the form's submit event.
 */
export function useFormCheck(check: (read: (name: string) => string) => Problem | null) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const typed = new FormData(form);
    const found = check((name) => String(typed.get(name) ?? ""));
    setProblem(found);
    if (!found) return;
    event.preventDefault();
    const input = form.elements.namedItem(found.field);
    if (input instanceof HTMLElement) input.focus();
  };
  return { problem, onSubmit };
}
