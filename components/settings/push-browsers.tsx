import { ChevronDown } from "lucide-react";
import { TimeStamp } from "@/components/format/time-stamp";
import { describeBrowser } from "@/components/settings/browser-name";
import { Choice, NotificationChoices } from "@/components/settings/notification-choices";
import { Badge } from "@/components/ui/badge";
import { SubmitButton } from "@/components/ui/submit-button";
import type { NotificationKind } from "@/lib/domain/notifications";

interface PushBrowser {
  id: string;
  userAgent: string;
  isCurrent: boolean;
  kinds: readonly NotificationKind[];
  showsAmounts: boolean;
  createdAt: Date;
  lastSentAt: Date | null;
}

interface Actions {
  save: (form: FormData) => Promise<void>;
  remove: (form: FormData) => Promise<void>;
  test: (form: FormData) => Promise<void>;
}

interface Props {
  browsers: readonly PushBrowser[];
  actions: Actions;
}

/** The browsers that get notifications, each with what it gets. */
export function PushBrowsers({ browsers, actions }: Props) {
  if (browsers.length === 0) return null;
  return (
    <ul className="divide-y divide-border rounded-control border border-border">
      {browsers.map((browser) => (
        <BrowserRow key={browser.id} browser={browser} actions={actions} />
      ))}
    </ul>
  );
}

function BrowserRow({ browser, actions }: { browser: PushBrowser; actions: Actions }) {
  const { id, userAgent, isCurrent, createdAt, lastSentAt } = browser;
  const name = describeBrowser(userAgent);
  return (
    <li className="px-3 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-[550]">
            {name} {isCurrent && <Badge tone="info">This browser</Badge>}
          </p>
          <p className="text-small text-text-2">
            {lastSentAt === null ? (
              "nothing sent yet"
            ) : (
              <>
                last sent <TimeStamp at={lastSentAt.toISOString()} />
              </>
            )}{" "}
            · on since <TimeStamp at={createdAt.toISOString()} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <form action={actions.test}>
            <input type="hidden" name="id" value={id} />
            <SubmitButton
              size="small"
              pendingLabel="Sending…"
              aria-label={`Send a test to ${name}`}
            >
              Send a test
            </SubmitButton>
          </form>
          <form action={actions.remove}>
            <input type="hidden" name="id" value={id} />
            <SubmitButton size="small" pendingLabel="Removing…" aria-label={`Remove ${name}`}>
              Remove
            </SubmitButton>
          </form>
        </div>
      </div>
      <details className="group mt-1" open={isCurrent}>
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 text-text-2 lg:min-h-8">
          Choose notifications
          <ChevronDown aria-hidden="true" className="size-4 group-open:rotate-180" />
        </summary>
        <ChoicesForm browser={browser} name={name} save={actions.save} />
      </details>
    </li>
  );
}

interface ChoicesProps {
  browser: PushBrowser;
  name: string;
  save: Actions["save"];
}

function ChoicesForm({ browser, name, save }: ChoicesProps) {
  const { id, kinds, showsAmounts } = browser;
  return (
    <form action={save} className="flex flex-col gap-3 pb-1">
      <input type="hidden" name="id" value={id} />
      <fieldset className="flex flex-col">
        <legend className="sr-only">Notifications in {name}</legend>
        <NotificationChoices prefix={id} chosen={kinds} />
        <Choice
          id={`${id}-amounts`}
          name="showsAmounts"
          label="Show shares and amounts in notifications"
          isOn={showsAmounts}
        />
      </fieldset>
      <div>
        <SubmitButton size="small" pendingLabel="Saving…" aria-label={`Save for ${name}`}>
          Save
        </SubmitButton>
      </div>
    </form>
  );
}
