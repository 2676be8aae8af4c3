"use client";

import { usePreferences } from "@/components/format/preferences";
import { formatClock } from "@/components/format/times";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { usePageRefresh } from "@/components/system/use-page-refresh";

const RETRY_MS = 10_000;

interface Props {
  outage: {
    /** When the oldest shown data was read, in milliseconds; null if a part was never read. */
    since: number | null;
    code: string;
    message: string;
  };
}

/** A note above stale data during a venue outage. */
export function OutageNote({ outage }: Props) {
  const { zone, hour12 } = usePreferences();
  const { since } = outage;
  const shown =
    since === null
      ? "Current prices are unavailable. Some figures use the last known price."
      : `Showing data from ${formatClock(since, { zone, hour12 })}${zone === "UTC" ? " UTC" : ""}.`;
  return (
    <div className="mb-4">
      <Callout tone="warn" role="status" title={`The exchange isn’t responding. ${shown}`}>
        <Retry outage={outage} />
      </Callout>
    </div>
  );
}

interface CardProps extends Props {
  /** The subject of the message: the content that can't be shown. */
  what: string;
}

/** Replaces content that needs the venue during an outage. */
export function OutageCard({ outage, what }: CardProps) {
  if (outage.code === "WALLET_NOT_FOUND") return <NoWallet />;
  return (
    <section className="card p-4">
      <Callout
        tone="warn"
        role="alert"
        title={`The exchange isn’t responding. ${what} can’t be shown right now.`}
      >
        <p>Your orders and money aren&rsquo;t affected. You can still see and cancel orders.</p>
        <Retry outage={outage} />
        <p className="mt-2 flex flex-wrap gap-2">
          <ButtonLink href="/orders">Open orders</ButtonLink>
        </p>
      </Callout>
    </section>
  );
}

/** A live account needs a wallet first. */
function NoWallet() {
  return (
    <section className="card p-4">
      <Callout title="You have no live wallet yet.">
        <p>Import the Polymarket wallet that you trade real money with.</p>
        <p className="mt-2">
          <ButtonLink href="/wallet/live" tone="primary">
            Import a wallet
          </ButtonLink>
        </p>
      </Callout>
    </section>
  );
}

function Retry({ outage: { code, message } }: Props) {
  const { liveUpdates } = usePreferences();
  const isHydrated = useHydrated();
  const refresh = usePageRefresh({ everyMs: liveUpdates === "paused" ? null : RETRY_MS });
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-small text-text-2">
      {isHydrated && liveUpdates !== "paused" && <p>Retrying automatically.</p>}
      <a
        href=""
        onClick={(event) => {
          event.preventDefault();
          refresh();
        }}
        className="link inline-flex min-h-11 items-center font-[550] lg:min-h-6"
      >
        Retry now
      </a>
      <details>
        <summary className="flex min-h-11 items-center underline underline-offset-2 lg:min-h-6">
          Details
        </summary>
        <p className="mb-1 font-mono text-caption break-words">
          {code} · {message}
        </p>
      </details>
    </div>
  );
}
