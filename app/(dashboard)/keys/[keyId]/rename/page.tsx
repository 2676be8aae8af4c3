import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import KeyNotFound from "@/app/(dashboard)/keys/[keyId]/not-found";
import { renameKeyAction } from "@/app/(dashboard)/keys/actions";
import { RenameKeyForm } from "@/app/(dashboard)/keys/[keyId]/rename/rename-key-form";
import { PageHeader } from "@/components/ui/page-header";
import { findActiveKey } from "@/lib/auth/list-keys";

export const metadata: Metadata = { title: "Rename API key" };

interface Props {
  params: Promise<{ keyId: string }>;
}

async function RenameKeyPage({ params }: Props) {
  const { principal } = await requireSession();
  const { keyId } = await params;
  const key = await findActiveKey(principal.userId, keyId);
  if (!key) notFound();
  return (
    <div className="mx-auto max-w-160">
      <PageHeader
        title={`Rename “${key.name}”`}
        description="The key itself doesn’t change. Your programs keep working."
      />
      <RenameKeyForm action={renameKeyAction} keyId={keyId} name={key.name} />
    </div>
  );
}

export default withNotFound(RenameKeyPage, KeyNotFound);
