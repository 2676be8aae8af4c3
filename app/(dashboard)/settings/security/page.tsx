import type { Metadata } from "next";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import SharedAccount from "@/app/(dashboard)/settings/security/not-found";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { SecondFactorCard } from "@/app/(dashboard)/settings/security/second-factor-card";
import { SecurityLog } from "@/components/settings/security-log";
import { buildSettingsHref } from "@/components/shell/settings-sections";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { listSecurityEvents } from "@/lib/auth/security-events";

export const metadata: Metadata = { title: "Security" };

const PAGE_LINES = 100;

const DONE: Readonly<Record<string, string>> = {
  passkey: "The passkey was added.",
  app: "The authenticator app was set up.",
  removed: "The second factor was removed.",
};

/** The second factors and the security log of the account. Hidden for the shared demo account. */
async function SecurityPage({ searchParams }: PageProps<"/settings/security">) {
  const session = await requireSession();
  await refuseShared(session);
  const { userId } = session.principal;
  const { before, done } = await searchParams;
  const from = typeof before === "string" && !before.includes("\0") ? before : null;
  const note = typeof done === "string" ? DONE[done] : undefined;
  const { lines, older } = await listSecurityEvents(userId, { before: from, limit: PAGE_LINES });
  return (
    <>
      <PageHeader
        title="Security"
        actions={<ButtonLink href={buildSettingsHref("security")}>Settings</ButtonLink>}
      />
      <div className="flex flex-col gap-4">
        {note !== undefined && <Callout tone="success" role="status" title={note} />}
        <SecondFactorCard userId={userId} />
        <Card title="Security log">
          <p className="mb-4 text-text-2">
            Sign-ins and changes to keys, limits, wallets, passwords and second factors, newest
            first. Entries can&rsquo;t be edited.
          </p>
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
      </div>
    </>
  );
}

export default withNotFound(SecurityPage, SharedAccount);
