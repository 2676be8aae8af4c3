import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import {
  finishPasskeyAction,
  startPasskeyAction,
} from "@/app/(dashboard)/settings/security/actions";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { PasskeyForm } from "@/components/security/passkey-form";
import { PageHeader } from "@/components/ui/page-header";
import { MAX_NAME_LENGTH } from "@/lib/auth/create-key";

export const metadata: Metadata = { title: "Add a passkey" };

export default async function PasskeyPage() {
  const session = await requireSession();
  await refuseShared(session);
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader
        title="Add a passkey"
        description="Your device or password manager keeps it. You confirm with your fingerprint, face or PIN."
      />
      <PasskeyForm
        start={startPasskeyAction}
        finish={finishPasskeyAction}
        proof={await loadProof(session, "change_factors")}
        maxName={MAX_NAME_LENGTH}
      />
    </div>
  );
}
