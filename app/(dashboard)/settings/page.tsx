import type { Metadata } from "next";
import { getDisplay } from "@/app/_lib/display-settings";
import { requireSession } from "@/app/_lib/require-session";
import {
  changePasswordAction,
  endOtherSessionsAction,
  endSessionAction,
  saveDisplayAction,
  saveRegionAction,
  saveTradingAction,
} from "@/app/(dashboard)/settings/actions";
import { DisplayForm } from "@/components/settings/display-form";
import { PasswordForm } from "@/components/settings/password-form";
import { RegionForm } from "@/components/settings/region-form";
import { SecurityLog } from "@/components/settings/security-log";
import { SectionNav } from "@/components/settings/section-nav";
import { SessionList } from "@/components/settings/session-list";
import { TradingForm } from "@/components/settings/trading-form";
import { ButtonLink } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { MIN_PASSWORD_LENGTH } from "@/lib/domain/credentials";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { listTimeZones } from "@/lib/domain/time-zones";
import { listSecurityEvents } from "@/lib/auth/security-events";
import { listSessions } from "@/lib/auth/manage-sessions";
import { getTradingSettings } from "@/lib/accounts/trading-settings";
import { isSharedAccount } from "@/lib/auth/demo-file";

export const metadata: Metadata = { title: "Settings" };

/** The number of security events on the page. */
const NEWEST_EVENTS = 20;

const SESSION_NOTES: Record<string, string> = {
  session: "Browser signed out.",
  sessions: "All other browsers signed out.",
};

interface Props {
  searchParams: Promise<{ saved?: string }>;
}

export default async function SettingsPage({ searchParams }: Props) {
  const session = await requireSession();
  const { userId } = session.principal;
  const [trading, isShared, { zone: _zone, ...display }, { saved = "" }] = await Promise.all([
    getTradingSettings(userId),
    isSharedAccount(userId),
    getDisplay(),
    searchParams,
  ]);
  return (
    <>
      <PageHeader title="Settings" />
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[160px_minmax(0,720px)]">
        <SectionNav isShared={isShared} />
        <div className="flex min-w-0 flex-col gap-4">
          <Card id="trading" title="Trading">
            <TradingForm
              action={saveTradingAction}
              isSaved={saved === "trading"}
              settings={trading}
            />
          </Card>
          <Card id="display" title="Display">
            <DisplayForm
              action={saveDisplayAction}
              isSaved={saved === "display"}
              settings={display}
            />
          </Card>
          <Card id="region" title="Region">
            <RegionForm
              action={saveRegionAction}
              isSaved={saved === "region"}
              settings={display}
              zones={listTimeZones()}
              at={new Date(now()).toISOString()}
            />
          </Card>
          {isShared ? <SharedAccount /> : <OwnAccount session={session} saved={saved} />}
        </div>
      </div>
    </>
  );
}

/** Users of the shared demo account can't see or end each other's sessions. */
function SharedAccount() {
  return (
    <Card id="account" title="Account">
      <p className="text-text-2">
        This is the demo account. Everyone who tries the demo shares it, so you can&rsquo;t change
        its password or see its browsers. To do both, sign out and create your own account.
      </p>
    </Card>
  );
}

async function OwnAccount({ session, saved }: { session: Session; saved: string }) {
  const { userId } = session.principal;
  const [sessions, { lines, older }] = await Promise.all([
    listSessions(userId),
    listSecurityEvents(userId, { limit: NEWEST_EVENTS }),
  ]);
  return (
    <>
      <Card id="account" title="Password">
        <p className="mb-4 text-text-2">
          You&rsquo;re signed in as <strong className="text-text">{session.email}</strong>.
        </p>
        <PasswordForm
          action={changePasswordAction}
          isSaved={saved === "account"}
          email={session.email}
          minLength={MIN_PASSWORD_LENGTH}
        />
      </Card>
      <Card id="sessions" title="Signed-in browsers">
        <SessionList
          sessions={sessions}
          currentId={session.id}
          endSession={endSessionAction}
          endOthers={endOtherSessionsAction}
          note={SESSION_NOTES[saved] ?? ""}
        />
      </Card>
      <Card id="security" title="Security log">
        <SecurityLog events={lines} />
        {older !== null && (
          <p className="mt-4">
            <ButtonLink href="/settings/security">Show all</ButtonLink>
          </p>
        )}
      </Card>
    </>
  );
}
