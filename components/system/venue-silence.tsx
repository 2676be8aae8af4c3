"use client";

import { usePreferences } from "@/components/format/preferences";
import { formatClock } from "@/components/format/times";
import { ButtonLink } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useHydrated } from "@/lib/client/use-hydrated";
import { usePageRefresh } from "@/components/system/use-page-refresh";

const RETRY_MS = 10_000;

interface Props {
  silence: {
    /** When the oldest of what is shown was read, in milliseconds; null when not all of it was. */
    since: number | null;
    code: string;
    message: string;
  };
}

/** Stands over what is shown of before, while the venue does not answer. */
export function SilenceNote({ silence }: Props) {
  const { zone, hour12 } = usePreferences();
  const { since } = silence;
  const shown =
    since === null
      ? "Current prices are not available: where there is none, the last one known here stands."
      : `Showing data from ${formatClock(since, { zone, hour12 })}${zone === "UTC" ? " UTC" : ""}.`;
  return (
    <div className="mb-4">
      <Callout tone="warn" role="status" title={`The exchange isn't answering. ${shown}`}>
        <Retry silence={silence} />
      </Callout>
    </div>
  );
}

interface CardProps extends Props {
  /** What cannot be shown, as the beginning of a sentence. */
  what: string;
}

/** Stands where nothing can be shown without the venue. */
export function SilentCard({ silence, what }: CardProps) {
  if (silence.code === "WALLET_NOT_FOUND") return <NoWallet />;
  return (
    <section className="card p-4">
      <Callout
        tone="warn"
        role="alert"
        title={`The exchange isn't answering. ${what} can't be shown without it.`}
      >
        <p>Your orders and your money are not affected; your orders can be seen and canceled.</p>
        <Retry silence={silence} />
        <p className="mt-2 flex flex-wrap gap-2">
          <ButtonLink href="/orders">Open orders</ButtonLink>
        </p>
      </Callout>
    </section>
  );
}

/** A live account begins with a wallet, and where only real money trades there is no other. */
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

function Retry({ silence: { code, message } }: Props) {
  const { liveUpdates } = usePreferences();
  const isHydrated = useHydrated();
  const refresh = usePageRefresh({ everyMs: liveUpdates === "paused" ? null : RETRY_MS });
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-small text-text-2">
      {isHydrated && liveUpdates !== "paused" && <p>It is tried again by itself.</p>}
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
