"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { depositAction } from "@/app/(dashboard)/wallet/actions";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

const HELP = "Up to 1,000,000 USDC at once. Paper money costs nothing.";

/** @param formKey names this form's deposit, so that sending it twice adds once. */
export function DepositForm({ formKey }: { formKey: string }) {
  const [state, submit] = useActionState<ActionState, FormData>(depositAction, { status: "idle" });
  const failure = state.status === "failed" ? state : null;
  const error = failure?.field === "amount" ? failure.message : null;
  return (
    <form action={submit} className="flex flex-col gap-4">
      <input type="hidden" name="key" value={formKey} />
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <Field label="Amount in USDC" htmlFor="deposit-amount" help={HELP} error={error}>
        <input
          {...describedBy("deposit-amount", { help: HELP, error })}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          required
          placeholder="1,000"
          defaultValue={failure?.values["amount"] ?? ""}
          className="control num"
        />
      </Field>
      <div>
        <SubmitButton tone="primary" pendingLabel="Adding…">
          Add paper money
        </SubmitButton>
      </div>
    </form>
  );
}
