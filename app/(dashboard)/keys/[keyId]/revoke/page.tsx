import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import KeyNotFound from "@/app/(dashboard)/keys/[keyId]/not-found";
import { revokeKeyAction } from "@/app/(dashboard)/keys/actions";
import { RevokeKeyForm } from "@/app/(dashboard)/keys/[keyId]/revoke/revoke-key-form";
import { TimeStamp } from "@/components/format/time-stamp";
import { PageHeader } from "@/components/ui/page-header";
import { findActiveKey, findRevokeWord } from "@/lib/auth/list-keys";

export const metadata: Metadata = { title: "Revoke API key" };

interface Props {
  params: Promise<{ keyId: string }>;
}

async function RevokeKeyPage({ params }: Props) {
  const { principal } = await requireSession();
  const { keyId } = await params;
  const key = await findActiveKey(principal.userId, keyId);
  const word = await findRevokeWord(principal.userId, keyId);
  if (!key || word === null) notFound();
  return (
    <div className="mx-auto max-w-160">
      <PageHeader
        title={`Revoke “${key.label}”`}
        description={
          key.lastUsedAt === null ? (
            "Never used."
          ) : (
            <>
              Last used <TimeStamp at={key.lastUsedAt.toISOString()} />.
            </>
          )
        }
      />
      <RevokeKeyForm action={revokeKeyAction} keyId={keyId} word={word} />
    </div>
  );
}

export default withNotFound(RevokeKeyPage, KeyNotFound);
