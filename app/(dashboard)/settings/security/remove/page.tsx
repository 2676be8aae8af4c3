import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import SharedAccount from "@/app/(dashboard)/settings/security/not-found";
import { removeFactorAction } from "@/app/(dashboard)/settings/security/actions";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { RemoveFactorForm } from "@/components/security/remove-factor-form";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import { APP_ID, type FactorList, listFactors } from "@/lib/auth/second-factor/change-factors";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Remove second factor" };

async function RemoveFactorPage({ searchParams }: PageProps<"/settings/security/remove">) {
  const session = await requireSession();
  await refuseShared(session);
  const { factor } = await searchParams;
  const factors = await listFactors(session.principal.userId);
  const name = findName(factors, factor);
  // It was removed before, or the link has none.
  if (typeof factor !== "string" || name === null) redirect(SECURITY_HREF);
  const isLast = factors.passkeys.length + (factors.appAddedAt === null ? 0 : 1) === 1;
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader title={`Remove ${name}`} />
      <div className="flex flex-col gap-4">
        {isLast && <LastFactor />}
        <RemoveFactorForm
          action={removeFactorAction}
          proof={await loadProof(session, "change_factors")}
          factorId={factor}
        />
      </div>
    </div>
  );
}

export default withNotFound(RemoveFactorPage, SharedAccount);

function LastFactor() {
  return (
    <Callout tone="warn" title="This is your only second factor.">
      {env().REQUIRE_SECOND_FACTOR
        ? "Your recovery codes are deleted with it. You can still sign in with your password, but not make the changes it protects until you set up another one."
        : "Your recovery codes are deleted with it. From then on, your password is enough to sign in and to make the changes it protects."}
    </Callout>
  );
}

function findName(factors: FactorList, id: unknown): string | null {
  if (id === APP_ID && factors.appAddedAt !== null) return "your authenticator app";
  const passkey = factors.passkeys.find((own) => own.id === id);
  return passkey ? `the passkey “${passkey.name}”` : null;
}
