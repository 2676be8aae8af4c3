import {
  removePushAction,
  savePushAction,
  testPushAction,
  turnOnPushAction,
} from "@/app/(dashboard)/settings/push-actions";
import { PushBrowsers } from "@/components/settings/push-browsers";
import { PushSwitch } from "@/components/settings/push-switch";
import { Card } from "@/components/ui/card";
import type { Session } from "@/lib/auth/session";
import { listPushBrowsers } from "@/lib/push/manage-push";
import { getServerKeys } from "@/lib/push/server-keys";

const NOTES: Readonly<Record<string, string>> = {
  push: "Saved.",
  "push-missing": "This browser no longer gets notifications.",
  "push-removed": "Notifications turned off for that browser.",
  "push-test-sent": "Test sent.",
  "push-test-gone": "That browser has turned notifications off, so it was removed.",
  "push-test-failed": "The push service didn't take the test. Try again later.",
  "push-test-unacceptable": "The push service refused the test.",
};

interface Props {
  session: Session;
  /** The last action, also without JavaScript. */
  saved: string;
}

/** Turns push notifications on in this browser, and lists the browsers that get them. */
export async function NotificationsCard({ session, saved }: Props) {
  const browsers = await listPushBrowsers(session);
  const { mode } = session.principal;
  const actions = { save: savePushAction, remove: removePushAction, test: testPushAction };
  return (
    <Card title="Notifications">
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
          {NOTES[saved] ?? ""}
        </p>
      </div>
    </Card>
  );
}
