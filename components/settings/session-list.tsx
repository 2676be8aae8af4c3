import { TimeStamp } from "@/components/format/time-stamp";
import { describeBrowser } from "@/components/settings/browser-name";
import { Badge } from "@/components/ui/badge";
import { SubmitButton } from "@/components/ui/submit-button";

interface SessionItem {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
}

interface Props {
  sessions: readonly SessionItem[];
  /** The session of this browser. */
  currentId: string;
  endSession: (form: FormData) => Promise<void>;
  endOthers: () => Promise<void>;
  /** The result of the last action, also without JavaScript. */
  note: string;
}

/** The account's sessions, each with a button to end it. */
export function SessionList({ sessions, currentId, endSession, endOthers, note }: Props) {
  const hasOthers = sessions.some(({ id }) => id !== currentId);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-text-2">
        Signing out a browser takes effect at once and turns off its notifications. Open orders stay
        open, and API keys keep working.
      </p>
      <ul className="divide-y divide-border rounded-control border border-border">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isCurrent={session.id === currentId}
            endSession={endSession}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        {hasOthers ? (
          <form action={endOthers}>
            <SubmitButton pendingLabel="Signing out…">Sign out everywhere else</SubmitButton>
          </form>
        ) : (
          <p className="text-text-2">Only this browser is signed in.</p>
        )}
        <p role="status" className="text-text-2 empty:hidden">
          {note}
        </p>
      </div>
    </div>
  );
}

interface RowProps extends Pick<Props, "endSession"> {
  session: SessionItem;
  isCurrent: boolean;
}

function SessionRow({ session, isCurrent, endSession }: RowProps) {
  const { id, userAgent, address, createdAt, lastSeenAt } = session;
  const browser = describeBrowser(userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-3 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-[550]">
          {browser} {isCurrent && <Badge tone="info">This browser</Badge>}
        </p>
        <p className="text-small text-text-2">
          {address} · last used <TimeStamp at={lastSeenAt.toISOString()} /> · signed in{" "}
          <TimeStamp at={createdAt.toISOString()} />
        </p>
      </div>
      {!isCurrent && (
        <form action={endSession}>
          <input type="hidden" name="sessionId" value={id} />
          <SubmitButton size="small" pendingLabel="Signing out…" aria-label={`Sign out ${browser}`}>
            Sign out
          </SubmitButton>
        </form>
      )}
    </li>
  );
}
