import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { createKeyAction } from "@/app/(dashboard)/keys/actions";
import { CreateKeyForm } from "@/app/(dashboard)/keys/new/create-key-form";
import { PageHeader } from "@/components/ui/page-header";
import { env } from "@/lib/env";
import { KEY_LIFETIMES } from "@/lib/auth/issue-key";
import { MAX_NAME_LENGTH } from "@/lib/auth/create-key";

export const metadata: Metadata = { title: "Create API key" };

const PURPOSE = {
  paper: "For programs that trade paper money on your behalf.",
  live: "For programs that trade real money on your behalf. The key can only use your live wallet.",
} as const;

export default async function CreateKeyPage() {
  const { principal } = await requireSession();
  return (
    <div className="mx-auto max-w-160">
      <PageHeader title="Create API key" description={PURPOSE[principal.mode]} />
      <CreateKeyForm
        action={createKeyAction}
        origin={env().NEXTAUTH_URL}
        maxName={MAX_NAME_LENGTH}
        lifetimes={KEY_LIFETIMES}
      />
    </div>
  );
}
