import type { Metadata } from "next";
import { headers } from "next/headers";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import SharedAccount from "@/app/(dashboard)/settings/security/not-found";
import {
  finishPasskeyAction,
  startPasskeyAction,
} from "@/app/(dashboard)/settings/security/actions";
import { PasskeyPlace } from "@/app/(dashboard)/settings/security/passkey-place";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { PasskeyForm } from "@/components/security/passkey-form";
import { describeBrowser } from "@/components/settings/browser-name";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/states";
import { MAX_NAME_LENGTH } from "@/lib/auth/create-key";
import { findPasskeySupport } from "@/lib/auth/second-factor/relying-party";

export const metadata: Metadata = { title: "Add a passkey" };

async function PasskeyPage() {
  const session = await requireSession();
  await refuseShared(session);
  const all = await headers();
  const support = findPasskeySupport(all);
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader
        title="Add a passkey"
        description="Your device or password manager keeps it. You confirm with your fingerprint, face or PIN."
      />
      {support === "here" ? (
        <PasskeyForm
          start={startPasskeyAction}
          finish={finishPasskeyAction}
          proof={await loadProof(session, "change_factors")}
          maxName={MAX_NAME_LENGTH}
          suggestedName={describeBrowser(all.get("user-agent") ?? "")}
        />
      ) : (
        <section className="card">
          <EmptyState action={<ButtonLink href={SECURITY_HREF}>Back to security</ButtonLink>}>
            <PasskeyPlace support={support} />
          </EmptyState>
        </section>
      )}
    </div>
  );
}

export default withNotFound(PasskeyPage, SharedAccount);
