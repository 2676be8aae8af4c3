"use client";

import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { importWalletAction } from "@/app/(dashboard)/wallet/live/actions";
import { WALLET_KINDS } from "@/app/(dashboard)/wallet/live/wallet-kinds";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { PageModeField } from "@/components/shell/page-mode";
import { describedBy, Field } from "@/components/ui/field";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";
import { SubmitButton } from "@/components/ui/submit-button";

const FUNDER_HELP = "The wallet that holds your USDC. Ante checks that the key controls it.";
const KEY_HELP =
  "64 hexadecimal digits, with or without 0x. It is encrypted, and never shown again.";

/** The form to import a wallet. After an error it keeps the typed texts except secrets. */
export function ImportForm({ proof }: { proof: FormProof }) {
  const { submit, ...form } = useActionForm(importWalletAction);
  const { failure, getError, getText } = form;
  return (
    <form action={submit} noValidate className="flex flex-col gap-5">
      <PageModeField />
      <FormFailure failure={failure} />
      <KindField chosen={getText("signatureType", "3")} error={getError("signatureType")} />
      <Field
        label="Wallet address (funder)"
        htmlFor="funder"
        help={FUNDER_HELP}
        error={getError("funder")}
      >
        <input
          {...describedBy("funder", { help: FUNDER_HELP, error: getError("funder") })}
          name="funder"
          required
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={getText("funder")}
          className="control font-mono"
        />
      </Field>
      <KeyField error={getError("secretKey")} />
      <ProofFields proof={proof} form={form} />
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
    // React resets a form after its action. The key makes the group start with the last choice.
    <RadioCards key={chosen} legend="Wallet type" error={error}>
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

/** Excluded from password managers, because it is no password of this site. */
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
