"use client";

import type { MouseEvent } from "react";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { depositAction } from "@/app/(dashboard)/wallet/actions";
import { Button } from "@/components/ui/button";
import { PageModeField } from "@/components/shell/page-mode";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

const HELP = "Up to $1,000,000 at a time. Paper money is free.";

const QUICK_AMOUNTS = ["1,000", "10,000", "100,000"] as const;

/** Writes the button's amount into its form's field. */
function fillAmount({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const field = currentTarget.form?.elements.namedItem("amount");
  if (field instanceof HTMLInputElement) field.value = currentTarget.value;
}

/** @param formKey the idempotency key of this form's deposit. */
export function DepositForm({ formKey }: { formKey: string }) {
  const { submit, failure, getError, getText } = useActionForm(depositAction);
  const error = getError("amount");
  return (
    <form action={submit} noValidate className="flex flex-col gap-4">
      <PageModeField />
      <input type="hidden" name="key" value={formKey} />
      <FormFailure failure={failure} />
      <Field label="Amount (dollars)" htmlFor="deposit-amount" help={HELP} error={error}>
        <input
          {...describedBy("deposit-amount", { help: HELP, error })}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          required
          placeholder="1,000"
          defaultValue={getText("amount")}
          className="control num"
        />
      </Field>
      <div role="group" aria-label="Amounts" className="flex flex-wrap gap-2 noscript:hidden">
        {QUICK_AMOUNTS.map((amount) => (
          <Button key={amount} size="small" onClick={fillAmount} value={amount}>
            ${amount}
          </Button>
        ))}
      </div>
      <div>
        <SubmitButton tone="primary" pendingLabel="Adding…">
          Add funds
        </SubmitButton>
      </div>
    </form>
  );
}
