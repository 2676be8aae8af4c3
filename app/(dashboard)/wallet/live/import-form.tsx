"use client";

import { useActionState } from "react";
import type { ActionState } from "@/app/_lib/action";
import { importWalletAction } from "@/app/(dashboard)/wallet/live/actions";
import { PasswordField } from "@/app/(dashboard)/wallet/live/password-field";
import { WALLET_KINDS } from "@/app/(dashboard)/wallet/live/wallet-kinds";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { SubmitButton } from "@/components/ui/submit-button";

const FUNDER_HELP = "The wallet that holds the USDC. Ante checks that it belongs to the key.";
const KEY_HELP =
  "64 hexadecimal digits, with or without 0x. It is encrypted, and never shown again.";

/** Asks for a Polymarket wallet. What was typed is kept after an error, but the key and password. */
export function ImportForm({ email }: { email: string }) {
  const [state, submit] = useActionState<ActionState, FormData>(importWalletAction, {
    status: "idle",
  });
  const failure = state.status === "failed" ? state : null;
  const errorOf = (field: string) => (failure?.field === field ? failure.message : null);
  const typed = (field: string) => failure?.values[field] ?? "";
  return (
    <form action={submit} className="flex flex-col gap-5">
      {failure && failure.field === null && (
        <Callout tone="danger" role="alert">
          {failure.message}
        </Callout>
      )}
      <KindField chosen={typed("signatureType") || "3"} error={errorOf("signatureType")} />
      <Field
        label="Wallet address (funder)"
        htmlFor="funder"
        help={FUNDER_HELP}
        error={errorOf("funder")}
      >
        <input
          {...describedBy("funder", { help: FUNDER_HELP, error: errorOf("funder") })}
          name="funder"
          required
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={typed("funder")}
          className="control font-mono"
        />
      </Field>
      <KeyField error={errorOf("secretKey")} />
      <PasswordField email={email} error={errorOf("current")} />
      <div>
        <SubmitButton tone="primary" pendingLabel="Checking…">
          Import wallet
        </SubmitButton>
      </div>
    </form>
  );
}

function KindField({ chosen, error }: { chosen: string; error: string | null }) {
  return (
    // React resets a form after its action: made anew, the group starts with the choice that was made.
    <RadioCards key={chosen} legend="Kind of wallet" error={error}>
      {WALLET_KINDS.map(({ signatureType, name, needs }) => (
        <RadioCard
          key={signatureType}
          name="signatureType"
          value={String(signatureType)}
          title={`${name} (type ${signatureType})`}
          isChosen={chosen === String(signatureType)}
        >
          {needs}
        </RadioCard>
      ))}
    </RadioCards>
  );
}

/** Password managers are asked to stay away: this is no password of this site. */
function KeyField({ error }: { error: string | null }) {
  return (
    <Field label="Private key" htmlFor="secretKey" help={KEY_HELP} error={error}>
      <input
        {...describedBy("secretKey", { help: KEY_HELP, error })}
        type="password"
        name="secretKey"
        required
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore="true"
        data-lpignore="true"
        data-bwignore="true"
        className="control font-mono"
      />
    </Field>
  );
}
