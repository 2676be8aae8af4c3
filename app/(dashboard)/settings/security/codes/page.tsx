import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { renewCodesAction } from "@/app/(dashboard)/settings/security/actions";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { FactorForm } from "@/components/security/factor-form";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "New recovery codes" };

export default async function RecoveryCodesPage() {
  const session = await requireSession();
  await refuseShared(session);
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
