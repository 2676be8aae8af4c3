import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import SharedAccount from "@/app/(dashboard)/settings/security/not-found";
import { renewCodesAction } from "@/app/(dashboard)/settings/security/actions";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { FactorForm } from "@/components/security/factor-form";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { PageHeader } from "@/components/ui/page-header";
import { listFactors } from "@/lib/auth/second-factor/change-factors";

export const metadata: Metadata = { title: "New recovery codes" };

async function RecoveryCodesPage() {
  const session = await requireSession();
  await refuseShared(session);
  const { passkeys, appAddedAt } = await listFactors(session.principal.userId);
  // Codes stand in for a second factor, which is set up first.
  if (passkeys.length === 0 && appAddedAt === null) redirect(SECURITY_HREF);
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader
        title="New recovery codes"
        description="You get ten new codes. The codes you have now stop working."
      />
      <FactorForm
        action={renewCodesAction}
        proof={await loadProof(session, "change_factors")}
        submitLabel="Create new codes"
        pendingLabel="Creating…"
      />
    </div>
  );
}

export default withNotFound(RecoveryCodesPage, SharedAccount);
