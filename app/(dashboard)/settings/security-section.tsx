import { SecondFactorCard } from "@/app/(dashboard)/settings/security/second-factor-card";
import { SecurityLog } from "@/components/settings/security-log";
import { SECURITY_HREF } from "@/components/shell/settings-sections";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { listSecurityEvents } from "@/lib/auth/security-events";

const PAGE_LINES = 20;

const DONE: ReadonlyMap<string, string> = new Map([
  ["passkey", "The passkey was added."],
  ["app", "The authenticator app was set up."],
  ["codes", "You have ten new recovery codes. The codes before them no longer work."],
  ["removed", "The second factor was removed."],
]);

interface Props {
  userId: string;
  /** The change that was just made, or "". */
  done: string;
  /** The log's lines before this one, or null for the newest. */
  before: string | null;
}

/** The second factors and the security log of the account. */
export async function SecuritySection({ userId, done, before }: Props) {
  const { lines, older } = await listSecurityEvents(userId, { before, limit: PAGE_LINES });
  const note = DONE.get(done);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {note !== undefined && <Callout tone="success" role="status" title={note} />}
      <SecondFactorCard userId={userId} />
      <Card title="Security log">
        <p className="mb-4 text-text-2">
          Sign-ins and changes to keys, limits, wallets, passwords and second factors, newest first.
          Entries can&rsquo;t be edited.
        </p>
        <SecurityLog events={lines} />
        {(before !== null || older !== null) && (
          <div className="mt-4 flex flex-wrap gap-3">
            {before !== null && <ButtonLink href={SECURITY_HREF}>Newest</ButtonLink>}
            {older !== null && (
              <ButtonLink href={`${SECURITY_HREF}&before=${older}`}>Older</ButtonLink>
            )}
          </div>
        )}
      </Card>
    </div>
  );
}
