import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { rotateKeyAction } from "@/app/(dashboard)/keys/actions";
import { RotateKeyForm } from "@/app/(dashboard)/keys/[keyId]/rotate/rotate-key-form";
import { PageHeader } from "@/components/ui/page-header";
import { env } from "@/lib/env";
import { findActiveKey } from "@/lib/services/keys/list-keys";

export const metadata: Metadata = { title: "Rotate API key" };

interface Props {
  params: Promise<{ keyId: string }>;
}

export default async function RotateKeyPage({ params }: Props) {
  const { principal } = await requireSession();
  const { keyId } = await params;
  const key = await findActiveKey(principal.userId, keyId);
  if (!key) notFound();
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader
        title={`Rotate “${key.name}”`}
        description="A new key with the same name and scopes takes over."
      />
      <RotateKeyForm action={rotateKeyAction} keyId={keyId} origin={env().NEXTAUTH_URL} />
    </div>
  );
}
