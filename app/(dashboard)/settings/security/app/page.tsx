import type { Metadata } from "next";
import { loadProof } from "@/app/(dashboard)/_proof/load-proof";
import { requireSession } from "@/app/_lib/require-session";
import { withNotFound } from "@/app/_lib/with-not-found";
import SharedAccount from "@/app/(dashboard)/settings/security/not-found";
import { confirmTotpAction, startTotpAction } from "@/app/(dashboard)/settings/security/actions";
import { refuseShared } from "@/app/(dashboard)/settings/security/refuse-shared";
import { AppSetup } from "@/components/security/app-setup";
import { QrCode } from "@/components/security/qr-code";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { listFactors } from "@/lib/auth/second-factor/change-factors";
import { findTotpSetup, type TotpSetup } from "@/lib/auth/second-factor/set-up-totp";

export const metadata: Metadata = { title: "Set up an authenticator app" };

/** Asks for the proof first, then shows the secret and asks for its first code. */
async function AppSetupPage() {
  const session = await requireSession();
  await refuseShared(session);
  const [setup, { appAddedAt }] = await Promise.all([
    findTotpSetup(session),
    listFactors(session.principal.userId),
  ]);
  return (
    <div className="mx-auto max-w-[640px]">
      <PageHeader
        title={
          appAddedAt === null ? "Set up an authenticator app" : "Replace your authenticator app"
        }
        description={
          appAddedAt === null
            ? "Any app for six-digit codes works, such as your password manager or Google Authenticator."
            : "Your app works until the new one has shown its first code."
        }
      />
      <AppSetup
        start={startTotpAction}
        confirm={confirmTotpAction}
        proof={await loadProof(session, "change_factors")}
        secret={setup && <Secret setup={setup} />}
      />
    </div>
  );
}

export default withNotFound(AppSetupPage, SharedAccount);

function Secret({ setup: { uri, secret } }: { setup: TotpSetup }) {
  return (
    <Card title="Scan this code with your app">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-center">
        <QrCode text={uri} label="QR code for your authenticator app" />
        <div className="min-w-0 text-text-2">
          <p>Can&rsquo;t scan it? Type this key into the app:</p>
          <p className="my-2 font-mono break-words text-text">{secret}</p>
          <p>
            On this device?{" "}
            <a href={uri} className="link">
              Open your app
            </a>
          </p>
        </div>
      </div>
    </Card>
  );
}
