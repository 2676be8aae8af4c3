import {
  removePushAction,
  savePushAction,
  testPushAction,
  turnOnPushAction,
} from "@/app/(dashboard)/settings/push-actions";
import { saveShownKindsAction } from "@/app/(dashboard)/settings/actions";
import { PushBrowsers } from "@/components/settings/push-browsers";
import { PushSwitch } from "@/components/settings/push-switch";
import { ShownKindsForm } from "@/components/settings/shown-kinds-form";
import { Card } from "@/components/ui/card";
import type { Session } from "@/lib/auth/session";
import { getShownKinds } from "@/lib/notifications/shown-kinds";
import { listPushBrowsers } from "@/lib/push/manage-push";
import { getServerKeys } from "@/lib/push/server-keys";

const NOTES: ReadonlyMap<string, string> = new Map([
  ["push", "Saved."],
  ["push-missing", "This browser no longer gets notifications."],
  ["push-removed", "Notifications turned off for that browser."],
  ["push-test-sent", "Test sent."],
  ["push-test-gone", "That browser has turned notifications off, so it was removed."],
  ["push-test-failed", "The push service didn’t take the test. Try again later."],
  ["push-test-unacceptable", "The push service refused the test."],
]);

interface Props {
  session: Session;
  isShared: boolean;
  /** The last action, also without JavaScript. */
  saved: string;
}

/** Chooses what the dashboard notifies of, and in which browsers while it isn't open. */
export async function NotificationsSection({ session, isShared, saved }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card title="Notifications in Ante">
        <ShownKindsForm
          action={saveShownKindsAction}
          isSaved={saved === "notifications"}
          shown={await getShownKinds(session.principal.userId)}
        />
      </Card>
      {!isShared && <PushCard session={session} saved={saved} />}
    </div>
  );
}

/** Turns push notifications on in this browser, and lists the browsers that get them. */
async function PushCard({ session, saved }: Pick<Props, "session" | "saved">) {
  const browsers = await listPushBrowsers(session);
  const { mode } = session.principal;
  const actions = { save: savePushAction, remove: removePushAction, test: testPushAction };
  return (
    <Card title="Push notifications">
      <div className="flex flex-col gap-4">
        <p className="text-text-2">
          Get notifications from your {mode === "live" ? "real-money" : "paper"} account even when
          Ante isn&rsquo;t open. They are encrypted for your browser and sent through its push
          service, run by Google, Mozilla, Apple or Microsoft. Signing out turns them off.
        </p>
        <PushSwitch
          mode={mode}
          serverKey={getServerKeys().publicKey}
          isListed={browsers.some(({ isCurrent }) => isCurrent)}
          turnOn={turnOnPushAction}
        />
        <PushBrowsers browsers={browsers} actions={actions} />
        <p role="status" className="text-text-2">
          {NOTES.get(saved)}
        </p>
      </div>
    </Card>
  );
}
