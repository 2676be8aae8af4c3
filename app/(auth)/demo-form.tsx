"use client";

import { useActionForm } from "@/components/ui/action-form";
import { tryDemoAction } from "@/app/(auth)/actions";
import { SubmitButton } from "@/components/ui/submit-button";

/** Signs in to the demo account with one click. */
export function DemoForm({ next }: { next: string }) {
  const { submit, failure } = useActionForm(tryDemoAction);
  return (
    <form action={submit} className="mt-3 flex flex-col gap-2 border-t border-border pt-3">
      <input type="hidden" name="next" value={next} />
      <SubmitButton size="large" isWide pendingLabel="Opening the demo account…">
        Try the demo account
      </SubmitButton>
      <p className="text-small text-pretty text-text-2">
        Paper money. Everyone who tries the demo shares this account.
      </p>
      {failure && <p className="text-small text-danger">{failure.message}</p>}
    </form>
  );
}
