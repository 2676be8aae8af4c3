"use client";

import { FormFailure, useActionForm } from "@/components/ui/action-form";
import { importWalletAction } from "@/app/(dashboard)/wallet/live/actions";
import { SESSION_KEY_CHOICE, WALLET_KINDS } from "@/app/(dashboard)/wallet/live/wallet-kinds";
import { type FormProof, ProofFields } from "@/components/security/proof-fields";
import { ProofSubmit } from "@/components/security/proof-submit";
import { PageModeField } from "@/components/shell/page-mode";
import { Callout } from "@/components/ui/callout";
import { describedBy, Field } from "@/components/ui/field";
import { RadioCard, RadioCards } from "@/components/ui/radio-cards";

const FUNDER_HELP = "The wallet that holds your USDC.";
const EXPIRY_HELP =
  "The day that you authorized it until, at most 180 days ahead. Ante refuses orders once this day begins in UTC, and reminds you 7 days before.";
const SCOPE_HELP = "As you authorized it. CLOB is enough to trade.";
const ID = "session-key";
const KEY_HELP =
  "64 hexadecimal digits, with or without 0x. It is encrypted, and never shown again.";

/** The form to import a wallet. After an error it keeps the typed texts except secrets. */
export function ImportForm({ proof }: { proof: FormProof }) {
  const { submit, ...form } = useActionForm(importWalletAction);
  const { failure, getError, getText } = form;
  return (
    // The fields of a session key show while it is chosen, without JavaScript too.
    <form action={submit} noValidate className="group flex flex-col gap-5">
      <PageModeField />
      <FormFailure failure={failure} />
      <KindField
        chosen={getText("signatureType", SESSION_KEY_CHOICE)}
        error={getError("signatureType")}
      />
      <OwnerKeyWarning />
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
      <SessionKeyFields getError={getError} getText={getText} />
      <ProofFields proof={proof} form={form} />
      <div>
        <ProofSubmit proof={proof} pendingLabel="Checking…">
          Import wallet
        </ProofSubmit>
      </div>
    </form>
  );
}

function KindField({ chosen, error }: { chosen: string; error: string | null }) {
  return (
    // React resets a form after its action. The key makes the group start with the last choice.
    <RadioCards key={chosen} legend="Wallet type" error={error}>
      <RadioCard
        name="signatureType"
        value={SESSION_KEY_CHOICE}
        title="Session key (recommended)"
        isChosen={chosen === SESSION_KEY_CHOICE}
      >
        A key that you authorized on your deposit wallet. It can trade but can&rsquo;t withdraw, and
        it expires. Enter the deposit address shown on Polymarket and the session key&rsquo;s
        private key.
      </RadioCard>
      {WALLET_KINDS.map(({ signatureType, name, needs }) => (
        <RadioCard
          key={signatureType}
          name="signatureType"
          value={String(signatureType)}
          title={`${name}, owner’s key (type ${signatureType})`}
          isChosen={chosen === String(signatureType)}
        >
          {needs}
        </RadioCard>
      ))}
    </RadioCards>
  );
}

/** Shown for every kind but a session key. */
function OwnerKeyWarning() {
  return (
    <div className="with-session:hidden">
      <Callout tone="warn" title="An owner&rsquo;s key can do everything.">
        <p>
          Anyone who has it can withdraw all money of the wallet. If you have a deposit wallet,
          import a session key instead.
        </p>
      </Callout>
    </div>
  );
}

type FormTexts = Pick<ReturnType<typeof useActionForm>, "getError" | "getText">;

function SessionKeyFields({ getError, getText }: FormTexts) {
  const [expiryError, scopeError] = [getError("expiresAt"), getError("scopes")];
  return (
    <div className="hidden flex-col gap-5 with-session:flex">
      <Field label="Expires on" htmlFor={`${ID}-expiry`} help={EXPIRY_HELP} error={expiryError}>
        <input
          {...describedBy(`${ID}-expiry`, { help: EXPIRY_HELP, error: expiryError })}
          type="date"
          name="expiresAt"
          defaultValue={getText("expiresAt")}
          className="control max-w-60"
        />
      </Field>
      <Field label="Scope" htmlFor={`${ID}-scope`} help={SCOPE_HELP} error={scopeError}>
        <select
          {...describedBy(`${ID}-scope`, { help: SCOPE_HELP, error: scopeError })}
          name="scopes"
          defaultValue={getText("scopes", "CLOB")}
          className="control max-w-60"
        >
          <option value="CLOB">CLOB: orders</option>
          <option value="CLOB,COMBOSRFQ">CLOB and COMBOSRFQ</option>
          <option value="ALL">ALL</option>
        </select>
      </Field>
    </div>
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
