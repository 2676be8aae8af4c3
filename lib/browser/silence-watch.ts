// Notices that the service is silent: its process hangs, but its connections stay open, so no request
// fails before its timeout. The account's stream has a beat every second. A watch raises the alarm when it
// has heard nothing for three seconds.
//
// A missing beat alone proves nothing, because the browser can be what is slow:
// - Browsers run the timers of hidden tabs once a second or once a minute, and a laptop that sleeps runs
//   none. A busy page runs its timers late, and handles arrived beats later still. So silence is counted in
//   checks that ran on time, and one late check starts the count again. A hidden tab has no watch.
// - The tab that reads the stream for all tabs can be busy, and a network can drop one connection. So each
//   tab asks the service itself before the alarm. Any reply ends the silence.

/** How often a watch checks. Call `check` at this interval. */
export const CHECK_EVERY_MS = 500;
/** A check after a longer pause is late. Throttled timers run at most once a second. */
const LATE_MS = 900;
/** The number of checks in silence before the service is asked: 2 to 2.5 seconds. */
const ASK_AT = 5;
/** The number of checks between two questions. */
const ASK_EVERY = 4;
/** The number of checks in silence before the alarm: 3 to 3.5 seconds. */
const ALARM_AT = 7;

export interface SilenceWatch {
  /** Call it for each sign of life. */
  hear: () => void;
  /** Counts one check. `now` is the time in milliseconds. */
  check: (now: number) => void;
}

interface Actions {
  /** Asks the service for any reply. Call `hear` when there is one. */
  ask: () => void;
  onChange: (isSilent: boolean) => void;
}

export function createSilenceWatch({ ask, onChange }: Actions, startedAt: number): SilenceWatch {
  let checkedAt = startedAt;
  let silentChecks = 0;
  let isSilent = false;
  const hear = () => {
    silentChecks = 0;
    if (!isSilent) return;
    isSilent = false;
    onChange(false);
  };
  const check = (now: number) => {
    const isLate = now - checkedAt > LATE_MS;
    checkedAt = now;
    silentChecks = isLate ? 0 : silentChecks + 1;
    if (silentChecks >= ASK_AT && (silentChecks - ASK_AT) % ASK_EVERY === 0) ask();
    if (silentChecks < ALARM_AT || isSilent) return;
    isSilent = true;
    onChange(true);
  };
  return { hear, check };
}

/** A gateway answers for a service that hangs. */
const GATEWAY_STATUSES = [502, 504];
/** The service names each of its own replies; also the 502 that says that its database is away. */
const OWN_REPLY = "x-request-id";

/** Returns whether the service gives any reply within this time, even that it is unwell. */
export async function isReplying(withinMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(withinMs);
    const { status, headers } = await fetch("/health", { cache: "no-store", signal });
    return headers.has(OWN_REPLY) || !GATEWAY_STATUSES.includes(status);
  } catch {
    return false;
  }
}
