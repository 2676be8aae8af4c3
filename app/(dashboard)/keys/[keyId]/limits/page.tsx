import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import KeyNotFound from "@/app/(dashboard)/keys/[keyId]/not-found";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { setLimitsAction } from "@/app/(dashboard)/_limits/actions";
import { hasLimits } from "@/components/limits/limit-list";
import { LimitsForm } from "@/components/limits/limits-form";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { findActiveKey } from "@/lib/auth/list-keys";
import { writeLimitTexts } from "@/lib/domain/limit-texts";
import { listLimitedSubjects } from "@/lib/limits/list-subjects";

export const metadata: Metadata = { title: "Limits of an API key" };

interface Props {
  params: Promise<{ keyId: string }>;
}

async function KeyLimitsPage({ params }: Props) {
  const session = await requireSession();
  const { userId } = session.principal;
  const { keyId } = await params;
  const key = await findActiveKey(userId, keyId);
  if (!key) notFound();
  const subjects = await listLimitedSubjects({ userId, mode: key.mode, keyId });
  const limits = subjects.find(({ scope }) => scope === "key")?.limits ?? {};
  const { ipAllow: _, ...ofOrders } = limits;
  // A missing field removes its limit, so those that the key already has stay in the form.
  const isReading = !key.scopes.includes("trade") && !hasLimits({ limits: ofOrders });
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader
        title={`Limits of “${key.label}”`}
        description={`${isReading ? "This key can’t trade, so only the addresses that use it can be limited." : "The server checks them with every order."} A rotated key and the new one share them.`}
      />
      <section className="card p-4 sm:p-6">
        <LimitsForm
          action={setLimitsAction}
          subject={`key:${keyId}`}
          texts={writeLimitTexts(limits)}
          isReading={isReading}
          proof={await loadProof(session, "raise_limit")}
        >
          <ButtonLink href={`/keys/${keyId}`}>Keep limits</ButtonLink>
        </LimitsForm>
      </section>
    </div>
  );
}

export default withNotFound(KeyLimitsPage, KeyNotFound);
