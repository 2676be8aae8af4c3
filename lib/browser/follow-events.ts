import { announceAccountChange } from "@/lib/browser/account-changes";
import { announceRequests } from "@/lib/browser/request-log-changes";
import { reportSilence } from "@/lib/browser/freshness";
import { CHECK_EVERY_MS, createSilenceWatch, isReplying } from "@/lib/browser/silence-watch";
import { refetchAccount } from "@/lib/browser/use-positions";

/** Events of one order arrive together; the figures are fetched once for all of them. */
const GATHER_MS = 20;
/** The shortest time between two fetches, for an account with many orders a second. */
const MIN_PAUSE_MS = 300;
/** The pause before a new stream, after one that the server refused. */
const RETRY_MS = 2_000;
/** The name of the lock and of the channel that the tabs of a browser share. */
const SHARED_NAME = "ante-account-events";
/** The message to the other tabs that the account changed. */
const CHANGED = "changed";
/** The message to the other tabs that the stream gave a sign of life. */
const BEAT = "beat";
/** The message to the other tabs that the log has new API requests. */
const REQUESTS = "requests";

/**
 * One visible tab reads the stream and tells the others: a browser opens six connections to a server
 * over HTTP/1.1, and a stream in each tab would use them up. The tabs agree by a lock, which exists
 * on https and localhost only; elsewhere figures refresh by themselves.
 *
 * @param since when the page's figures were current, in milliseconds since the epoch. The stream says whether the
 * account has changed since then: reading them anyway would render each page twice while it starts. Null if they
 * are old, because the tab was hidden.
 */
export function followEvents(since: number | null): () => void {
  if (!("locks" in navigator)) return () => undefined;
  const reader = createReader();
  const channel = new BroadcastChannel(SHARED_NAME);
  let stream: AccountStream | null = null;
  const watch = watchSilence({
    onLostStream: () => stream?.reopen(),
    onEnd: () => reader.read(false),
  });
  channel.addEventListener("message", ({ data }) => {
    if (data === BEAT) watch.beat();
    else if (data === REQUESTS) announceRequests();
    else reader.read(data === CHANGED);
  });
  const tellAll = (isChanged: boolean) => {
    reader.read(isChanged);
    channel.postMessage(isChanged ? CHANGED : null);
  };
  const beatAll = (hasRequests: boolean) => {
    watch.beat();
    channel.postMessage(BEAT);
    if (!hasRequests) return;
    announceRequests();
    channel.postMessage(REQUESTS);
  };
  const left = new AbortController();
  const isLeft = new Promise<void>((resolve) =>
    left.signal.addEventListener("abort", () => resolve()),
  );
  const read = async () => {
    stream = readStream(since, tellAll, beatAll);
    await isLeft;
    stream.close();
  };
  const readOrWait = async (lock: Lock | null) => {
    if (left.signal.aborted) return;
    if (lock) return read();
    // Another tab has the stream, from before this page.
    reader.read(false);
    const readInTurn = navigator.locks.request(SHARED_NAME, { signal: left.signal }, read);
    readInTurn.catch((error: unknown) => {
      if (!left.signal.aborted) throw error;
    });
  };
  if (since === null) reader.read(true);
  void navigator.locks.request(SHARED_NAME, { ifAvailable: true }, readOrWait);
  return () => {
    left.abort();
    reader.stop();
    watch.stop();
    channel.close();
  };
}

interface Watching {
  /** Called when the service replies a second time and no beat arrived in between. */
  onLostStream: () => void;
  /** Called when a silence that the page has shown is over. */
  onEnd: () => void;
}

/** How long the watch waits for a reply: less than the pause between two questions. */
const REPLY_WITHIN_MS = 2_000;

/** Counts a silent service toward the page's freshness, until `stop` is called. */
function watchSilence({ onLostStream, onEnd }: Watching): { beat: () => void; stop: () => void } {
  let isStopped = false;
  let isAsking = false;
  let repliesSinceBeat = 0;
  const ask = async () => {
    if (isAsking) return;
    isAsking = true;
    const hasReplied = await isReplying(REPLY_WITHIN_MS);
    isAsking = false;
    if (!hasReplied || isStopped) return;
    watch.hear();
    repliesSinceBeat += 1;
    if (repliesSinceBeat >= 2) onLostStream();
  };
  const onChange = (isSilent: boolean) => {
    reportSilence(isSilent);
    if (!isSilent) onEnd();
  };
  const watch = createSilenceWatch({ ask: () => void ask(), onChange }, Date.now());
  const timer = setInterval(() => watch.check(Date.now()), CHECK_EVERY_MS);
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
    reportSilence(false);
  };
  const beat = () => {
    repliesSinceBeat = 0;
    watch.hear();
  };
  return { beat, stop };
}

interface AccountStream {
  /** Replaces a connection that is open and silent. */
  reopen: () => void;
  close: () => void;
}

/**
 * Reads the stream of the account until it is closed.
 *
 * @param since the time of the page's figures; null if they are read anyway.
 * @param onSignal called with true if the account has changed or may have, with false if the stream failed. If the
 * service is gone, the fetch that follows fails, and the page says so at once.
 * @param onBeat called for each sign of life, about every second; with true if there are new API requests.
 */
function readStream(
  since: number | null,
  onSignal: (isChanged: boolean) => void,
  onBeat: (hasRequests: boolean) => void,
): AccountStream {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;
  const open = () => {
    source = new EventSource(`/api/ui/events${since === null ? "" : `?since=${since}`}`);
    let requests = 0;
    source.addEventListener("open", () => {
      requests = 0;
      onBeat(false);
      // The account may have changed while the stream was closed.
      if (hasFailed) onSignal(true);
      hasFailed = false;
    });
    source.addEventListener("behind", () => onSignal(true));
    source.addEventListener("beat", ({ data }) => {
      const beat = JSON.parse(data) as { requests: number };
      onBeat(beat.requests > requests);
      ({ requests } = beat);
    });
    for (const type of SHOWN_TYPES) source.addEventListener(type, () => onSignal(true));
    source.addEventListener("error", () => {
      hasFailed = true;
      onSignal(false);
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
  };
  const close = () => {
    clearTimeout(retry);
    source?.close();
  };
  const reopen = () => {
    close();
    hasFailed = true;
    open();
  };
  open();
  return { reopen, close };
}

/** The events that end a change of what pages show. Each change of an account has one of them. */
const SHOWN_TYPES = [
  "account.reset",
  "balance.changed",
  "order.approval_requested",
  "order.approved",
  "order.opened",
  "order.delayed",
  "order.partially_filled",
  "order.filled",
  "order.canceled",
  "order.expired",
  "order.rejected",
  "order.unknown",
  "order.updated",
  "order.abandoned",
  "position.changed",
  "position.redeemable",
  "market.resolved",
  "transaction.waiting",
  "transaction.submitted",
  "transaction.unknown",
  "transaction.confirmed",
  "transaction.failed",
  "wallet.key_expiring",
  "wallet.key_expired",
  "webhook.disabled",
] as const;

interface Reader {
  /** Reads the figures soon, and announces a change if there was one. */
  read: (isChanged: boolean) => void;
  stop: () => void;
}

function createReader(): Reader {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;
  let isStopped = false;
  let hasChange = false;
  const run = () => {
    timer = undefined;
    lastAt = Date.now();
    void refetchAccount();
    if (hasChange) announceAccountChange();
    hasChange = false;
  };
  const read = (isChanged: boolean) => {
    if (isStopped) return;
    hasChange ||= isChanged;
    timer ??= setTimeout(run, Math.max(GATHER_MS, lastAt + MIN_PAUSE_MS - Date.now()));
  };
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { read, stop };
}
