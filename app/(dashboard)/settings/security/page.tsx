import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { SecurityLog } from "@/components/settings/security-log";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { listEvents } from "@/lib/services/audit/list-events";
import { isSharedAccount } from "@/lib/services/users/shared-account";

export const metadata: Metadata = { title: "Security log" };

const PAGE_LINES = 100;

/** Everything that was done to the access to the account. A shared account's is nobody's to read. */
export default async function SecurityLogPage({ searchParams }: PageProps<"/settings/security">) {
  const { principal } = await requireSession();
  const { userId } = principal;
  if (await isSharedAccount(userId)) notFound();
  const { before } = await searchParams;
  const from = typeof before === "string" && !before.includes("\0") ? before : null;
  const { lines, older } = await listEvents(userId, { before: from, limit: PAGE_LINES });
  return (
    <>
      <PageHeader
        title="Security log"
        description="Sign-ins, keys, wallets and passwords of this account, newest first. Lines are never changed."
        actions={<ButtonLink href="/settings#security">Settings</ButtonLink>}
      />
      <Card>
        <SecurityLog events={lines} />
        {(from !== null || older !== null) && (
          <div className="mt-4 flex flex-wrap gap-3">
            {from !== null && <ButtonLink href="/settings/security">Newest</ButtonLink>}
            {older !== null && (
              <ButtonLink href={`/settings/security?before=${older}`}>Older</ButtonLink>
            )}
          </div>
        )}
      </Card>
    </>
  );
}
