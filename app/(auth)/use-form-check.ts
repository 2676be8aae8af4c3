"use client";

import { type SubmitEvent, useState } from "react";

interface Problem {
  field: string;
  message: string;
}

/**
 * Checks a form before it is sent, by the rule that the server has. Focuses the first field in error.
 *
 * @returns the messages of fields, and the handler of the form's submit event.
 */
export function useFormCheck(check: (read: (name: string) => string) => readonly Problem[]) {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const typed = new FormData(form);
    const found = check((name) => String(typed.get(name) ?? ""));
    setProblems(found);
    const [first] = found;
    if (!first) return;
    event.preventDefault();
    const input = form.elements.namedItem(first.field);
    if (input instanceof HTMLElement) input.focus();
  };
  return { problems, onSubmit };
}
