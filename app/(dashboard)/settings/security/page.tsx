import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { SecurityLog } from "@/components/settings/security-log";
import { buildSettingsHref } from "@/components/settings/sections";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { isSharedAccount } from "@/lib/auth/demo-file";

export const metadata: Metadata = { title: "Security log" };

const PAGE_LINES = 100;

/** The security log of the account. Hidden for the shared demo account. */
export default async function SecurityLogPage({ searchParams }: PageProps<"/settings/security">) {
  const { principal } = await requireSession();
  const { userId } = principal;
  if (await isSharedAccount(userId)) notFound();
  const { before } = await searchParams;
  const from = typeof before === "string" && !before.includes("\0") ? before : null;
  const { lines, older } = await listSecurityEvents(userId, { before: from, limit: PAGE_LINES });
  return (
    <>
      <PageHeader
        title="Security log"
        description="Sign-ins and changes to keys, limits, wallets and passwords, newest first. Entries can&rsquo;t be edited."
        actions={<ButtonLink href={buildSettingsHref("security")}>Settings</ButtonLink>}
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
