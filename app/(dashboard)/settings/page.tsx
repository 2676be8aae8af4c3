import type { Metadata } from "next";
import { getDisplay } from "@/app/_lib/display-settings";
import { signOutAction, signOutToSignUpAction } from "@/app/(auth)/actions";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { type PageQuery, toSearchParams } from "@/app/_lib/search-params";
import {
  changePasswordAction,
  endOtherSessionsAction,
  endSessionAction,
  saveDisplayAction,
  saveRegionAction,
  saveTradingAction,
} from "@/app/(dashboard)/settings/actions";
import { LimitsSection } from "@/app/(dashboard)/settings/limits-section";
import { NotificationsSection } from "@/app/(dashboard)/settings/notifications-section";
import { SecuritySection } from "@/app/(dashboard)/settings/security-section";
import { DisplayForm } from "@/components/settings/display-form";
import { PasswordForm } from "@/components/settings/password-form";
import { RegionForm } from "@/components/settings/region-form";
import { SectionNav } from "@/components/settings/section-nav";
import { listSections, type SettingsSection } from "@/components/shell/settings-sections";
import { SessionList } from "@/components/settings/session-list";
import { TradingForm } from "@/components/settings/trading-form";
import { SignOutForm } from "@/components/shell/sign-out-form";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { SubmitButton } from "@/components/ui/submit-button";
import type { Session } from "@/lib/auth/session";
import { now } from "@/lib/clock";
import { listTimeZones } from "@/lib/domain/time-zones";
import { listSessions } from "@/lib/auth/manage-sessions";
import { getTradingSettings } from "@/lib/accounts/trading-settings";
import { isSharedAccount } from "@/lib/auth/demo-file";

export const metadata: Metadata = { title: "Settings" };

const SESSION_NOTES: ReadonlyMap<string, string> = new Map([
  ["session", "Browser signed out."],
  ["sessions", "All other browsers signed out."],
]);

interface Props {
  searchParams: Promise<PageQuery>;
}

export default async function SettingsPage({ searchParams }: Props) {
  const session = await requireSession();
  const isShared = await isSharedAccount(session.principal.userId);
  const query = toSearchParams(await searchParams);
  const current = findSection(query.get("section"), isShared);
  return (
    <>
      <PageHeader title="Settings" />
      <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[10rem_minmax(0,45rem)]">
        <SectionNav isShared={isShared} current={current} />
        <Section session={session} isShared={isShared} current={current} query={query} />
      </div>
    </>
  );
}

/** Finds the section of an address. A shared account has an explanation in place of the sections it lacks. */
function findSection(section: string | null, isShared: boolean): SettingsSection {
  const asked = listSections(false).find(({ id }) => id === section)?.id ?? "trading";
  return listSections(isShared).some(({ id }) => id === asked) ? asked : "account";
}

interface SectionProps {
  session: Session;
  isShared: boolean;
  current: SettingsSection;
  query: URLSearchParams;
}

function Section({ session, isShared, current, query }: SectionProps) {
  // The section that was just saved without JavaScript.
  const saved = query.get("saved") ?? "";
  switch (current) {
    case "trading":
      return <Trading session={session} isSaved={saved === current} />;
    case "limits":
      return <LimitsSection session={session} query={query} />;
    case "display":
      return <Display isSaved={saved === current} />;
    case "region":
      return <Region isSaved={saved === current} />;
    case "notifications":
      return <NotificationsSection session={session} isShared={isShared} saved={saved} />;
    case "account":
      if (isShared) return <SharedAccount email={session.email} />;
      return <Password session={session} isSaved={saved === current} />;
    case "sessions":
      return <Sessions session={session} note={SESSION_NOTES.get(saved) ?? ""} />;
    case "security":
      return (
        <SecuritySection
          userId={session.principal.userId}
          done={query.get("done") ?? ""}
          before={query.get("before")}
        />
      );
  }
}

async function Trading({ session, isSaved }: { session: Session; isSaved: boolean }) {
  const settings = await getTradingSettings(session.principal.userId);
  return (
    <Card title="Trading">
      <TradingForm action={saveTradingAction} isSaved={isSaved} settings={settings} />
    </Card>
  );
}

async function Display({ isSaved }: { isSaved: boolean }) {
  const { zone: _zone, ...settings } = await getDisplay();
  return (
    <Card title="Display">
      <DisplayForm action={saveDisplayAction} isSaved={isSaved} settings={settings} />
    </Card>
  );
}

async function Region({ isSaved }: { isSaved: boolean }) {
  const { zone: _zone, ...settings } = await getDisplay();
  return (
    <Card title="Region">
      <RegionForm
        action={saveRegionAction}
        isSaved={isSaved}
        settings={settings}
        zones={listTimeZones()}
        at={new Date(now()).toISOString()}
      />
    </Card>
  );
}

/** Users of the shared demo account can't see or end each other's sessions. */
function SharedAccount({ email }: Pick<Session, "email">) {
  return (
    <Card title="Account">
      <p className="text-text-2">
        You&rsquo;re signed in as <strong className="text-text">{email}</strong>, the demo account.
        Everyone who tries the demo shares it, so you can&rsquo;t change its password or see its
        browsers. To do both, sign out and create your own account.
      </p>
      <p className="mt-2 text-text-2">
        The demo account has no end date. Its trades stay until the operator deletes this
        server&rsquo;s data.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <SignOutForm action={signOutToSignUpAction}>
          <SubmitButton tone="primary" pendingLabel="Signing out…">
            Create an account
          </SubmitButton>
        </SignOutForm>
        <SignOutForm action={signOutAction}>
          <SubmitButton pendingLabel="Signing out…">Sign out</SubmitButton>
        </SignOutForm>
      </div>
    </Card>
  );
}

async function Password({ session, isSaved }: { session: Session; isSaved: boolean }) {
  return (
    <Card title="Password">
      <p className="mb-4 text-text-2">
        You&rsquo;re signed in as <strong className="text-text">{session.email}</strong>.
      </p>
      <PasswordForm
        action={changePasswordAction}
        isSaved={isSaved}
        email={session.email}
        proof={await loadProof(session, "change_password")}
      />
    </Card>
  );
}

async function Sessions({ session, note }: { session: Session; note: string }) {
  return (
    <Card title="Signed-in browsers">
      <SessionList
        sessions={await listSessions(session.principal.userId)}
        currentId={session.id}
        endSession={endSessionAction}
        endOthers={endOtherSessionsAction}
        note={note}
      />
    </Card>
  );
}
