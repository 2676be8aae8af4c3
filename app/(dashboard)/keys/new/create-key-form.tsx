"use client";

import { useActionState } from "react";
import type { KeyFormAction, KeyFormState } from "@/app/(dashboard)/keys/key-form";
import { NewKey } from "@/components/keys/new-key";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: KeyFormAction;
  origin: string;
  maxName: number;
  /** Days, or "never". */
  lifetimes: readonly string[];
}

/** Asks what a new key is for, then shows it once. */
export function CreateKeyForm({ action, origin, maxName, lifetimes }: Props) {
  const [state, submit] = useActionState<KeyFormState, FormData>(action, { status: "idle" });
  if (state.status === "made") {
    return <NewKey apiKey={state.apiKey} name={state.name} note={state.note} origin={origin} />;
  }
  const failure = state.status === "failed" ? state : null;
  const errorOf = (field: string) => (failure?.field === field ? failure.message : null);
  const value = (field: string) => failure?.values[field] ?? "";
  const help = "What will use it, such as “market maker on host 3”.";
  return (
    <form action={submit} className="card flex flex-col gap-5 p-4 sm:p-6">
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <Field label="Name" htmlFor="name" help={help} error={errorOf("name")}>
        <input
          {...describedBy("name", { help, error: errorOf("name") })}
          className="control"
          name="name"
          required
          maxLength={maxName}
          autoComplete="off"
          defaultValue={value("name")}
        />
      </Field>
      <AccessFields chosen={value("access") || "read"} error={errorOf("scopes")} />
      <Field label="Expires after" htmlFor="lifetime" error={errorOf("lifetime")}>
        <select
          {...describedBy("lifetime", { error: errorOf("lifetime") })}
          key={value("lifetime")}
          className="control sm:max-w-48"
          name="lifetime"
          defaultValue={value("lifetime") || "90"}
        >
          {lifetimes.map((lifetime) => (
            <option key={lifetime} value={lifetime}>
              {lifetime === "never" ? "Never" : `${lifetime} days`}
            </option>
          ))}
        </select>
      </Field>
      <div className="flex flex-wrap gap-2">
        <SubmitButton tone="primary" pendingLabel="Creating…">
          Create key
        </SubmitButton>
        <ButtonLink href="/keys">Back to keys</ButtonLink>
      </div>
    </form>
  );
}

const SCOPES = [
  { value: "read", label: "read", help: "balance, positions, orders, fills, markets" },
  { value: "trade", label: "trade", help: "place orders, claim winnings" },
  { value: "cancel", label: "cancel", help: "cancel orders" },
] as const;

function AccessFields({ chosen, error }: { chosen: string; error: string | null }) {
  return (
    // The boxes show while "Custom" is chosen, by CSS alone.
    <div className="group flex flex-col gap-2">
      <RadioCards legend="Access" error={error}>
        <RadioCard name="access" value="read" title="Read only" isChosen={chosen === "read"}>
          Sees the account and the markets. Cannot trade.
        </RadioCard>
        <RadioCard name="access" value="trade" title="Trade" isChosen={chosen === "trade"}>
          Reads, places orders and cancels them.
        </RadioCard>
        <RadioCard name="access" value="custom" title="Custom" isChosen={chosen === "custom"}>
          Choose scope by scope.
        </RadioCard>
      </RadioCards>
      <fieldset className="hidden flex-col gap-1 pl-1 group-has-[[value=custom]:checked]:flex">
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
