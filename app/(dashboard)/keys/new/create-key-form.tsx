"use client";

import type { KeyFormAction, KeyFormState } from "@/app/(dashboard)/keys/key-form";
import { NewKey } from "@/components/keys/new-key";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { ButtonLink } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { LimitFields } from "@/components/limits/limit-fields";
import type { findKeyTemplate } from "@/lib/domain/key-templates";
import { writeLimitTexts } from "@/lib/domain/limit-texts";

interface Props {
  action: KeyFormAction;
  /** Unique, so that the form creates at most one key. */
  formId: string;
  origin: string;
  maxName: number;
  /** Days, or "never". */
  lifetimes: readonly string[];
  template: ReturnType<typeof findKeyTemplate>;
  /** For a live key. */
  proof: FormProof | null;
}

/** The form for a new key, which then shows the key once. */
export function CreateKeyForm(props: Props) {
  const { action, formId, origin, maxName, lifetimes, template, proof } = props;
  const attempt = useActionForm<KeyFormState>(action);
  const { state, submit, failure, getError, getText } = attempt;
  if (state.status === "made") {
    return <NewKey apiKey={state.apiKey} name={state.name} note={state.note} origin={origin} />;
  }
  const help = "For example, “Market maker, host 3”.";
  return (
    <form action={submit} noValidate className="group card flex flex-col gap-5 p-4 sm:p-6">
      <PageModeField />
      <input type="hidden" name="form" value={formId} />
      <FormFailure failure={failure} />
      <Field label="Name" htmlFor="name" help={help} error={getError("name")}>
        <input
          {...describedBy("name", { help, error: getError("name") })}
          className="control"
          name="name"
          required
          maxLength={maxName}
          autoComplete="off"
          defaultValue={getText("name")}
        />
      </Field>
      <AccessFields chosen={getText("access", template.access)} error={getError("scopes")} />
      <Field label="Expires after" htmlFor="lifetime" error={getError("lifetime")}>
        <select
          {...describedBy("lifetime", { error: getError("lifetime") })}
          key={getText("lifetime")}
          className="control sm:max-w-48"
          name="lifetime"
          defaultValue={getText("lifetime", template.lifetime)}
        >
          {lifetimes.map((lifetime) => (
            <option key={lifetime} value={lifetime}>
              {lifetime === "never" ? "Never" : `${lifetime} days`}
            </option>
          ))}
        </select>
      </Field>
      {/* A key that only reads places no orders that could be limited. */}
      <section className="flex flex-col gap-3 with-reading:hidden">
        <h2 className="text-heading">Limits</h2>
        <p className="text-text-2">
          The server refuses every order beyond them. An empty field limits nothing.
        </p>
        <LimitFields attempt={attempt} texts={{ ...NO_TEXTS, ...template.limits }} whose="key" />
      </section>
      {proof && <ProofFields proof={proof} form={attempt} />}
      <div className="flex flex-wrap gap-2">
        <ProofSubmit proof={proof} pendingLabel="Creating…">
          Create key
        </ProofSubmit>
        <ButtonLink href="/keys">Back to keys</ButtonLink>
      </div>
    </form>
  );
}

const NO_TEXTS = writeLimitTexts({});

const SCOPES = [
  { value: "read", label: "read", help: "balance, positions, orders, fills, markets" },
  { value: "trade", label: "trade", help: "place orders, claim winnings" },
  { value: "cancel", label: "cancel", help: "cancel orders" },
  { value: "webhooks", label: "webhooks", help: "manage webhook endpoints" },
] as const;

function AccessFields({ chosen, error }: { chosen: string; error: string | null }) {
  return (
    // CSS shows the checkboxes while "Custom" is selected.
    <div className="group flex flex-col gap-2">
      <RadioCards legend="Access" error={error}>
        <RadioCard name="access" value="read" title="Read only" isChosen={chosen === "read"}>
          Reads your account and the markets. Can&rsquo;t trade.
        </RadioCard>
        <RadioCard name="access" value="trade" title="Trade" isChosen={chosen === "trade"}>
          Reads, places and cancels orders.
        </RadioCard>
        <RadioCard name="access" value="custom" title="Custom" isChosen={chosen === "custom"}>
          Choose individual scopes.
        </RadioCard>
      </RadioCards>
      <fieldset className="hidden flex-col gap-1 pl-1 with-custom:flex">
        <legend className="mb-1 font-[550]">Scopes</legend>
        {SCOPES.map((scope) => (
          <label key={scope.value} className="flex min-h-11 items-center gap-2 lg:min-h-7">
            <input
              type="checkbox"
              name="scope"
              value={scope.value}
              className="size-4 accent-(--ink)"
            />
            <span>
              <span className="font-mono">{scope.label}</span>{" "}
              <span className="text-text-2">{scope.help}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}
