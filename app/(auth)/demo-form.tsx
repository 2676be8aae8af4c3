"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { tryDemoAction } from "@/app/(auth)/actions";
import { SubmitButton } from "@/components/ui/submit-button";

/** One click into the account that the first start made. */
export function DemoForm({ next }: { next: string }) {
  const [state, submit] = useActionState<ActionState, FormData>(tryDemoAction, { status: "idle" });
  return (
    <form action={submit} className="mt-3 flex flex-col gap-2 border-t border-border pt-3">
      <input type="hidden" name="next" value={next} />
      <SubmitButton size="large" isWide pendingLabel="Opening the demo account…">
        Try the demo account
      </SubmitButton>
      <p className="text-small text-text-2">Paper money, shared by everybody who tries it.</p>
      {state.status === "failed" && <p className="text-small text-danger">{state.message}</p>}
    </form>
  );
}
