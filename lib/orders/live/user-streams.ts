import "server-only";
import { errorFields, log } from "@/lib/log";
import { requireTrader } from "@/lib/accounts/require-trader";
import { remoteVenue } from "@/lib/venues";
import type { UserStreamEvent, UserStream } from "@/lib/venue/trader";

/**
 * Keeps one user stream open per followed account, so that changes at the venue are seen before the
 * next tick. The streams are optional: the reconciler polls anyway.
 */
export class UserStreams {
  private readonly open = new Map<string, UserStream>();

  constructor(private readonly onEvent: (userId: string, event: UserStreamEvent) => void) {}

  /** Opens the streams of these accounts and closes all other streams. */
  async follow(userIds: readonly string[]): Promise<void> {
    const wanted = new Set(userIds);
    for (const [userId, stream] of this.open) {
      if (wanted.has(userId)) continue;
      stream.close();
      this.open.delete(userId);
    }
    for (const userId of wanted) {
      if (this.open.has(userId)) continue;
      try {
        const trader = await requireTrader(userId);
        const stream = remoteVenue().openUserStream(trader, (event) => this.onEvent(userId, event));
        this.open.set(userId, stream);
      } catch (error) {
        log.warn("stream not opened", { userId, ...errorFields(error) });
      }
    }
  }

  /** Reconnects the lost streams without waiting for their back-off. */
  retryNow(): void {
    for (const stream of this.open.values()) stream.retryNow();
  }

  closeAll(): void {
    for (const stream of this.open.values()) stream.close();
    this.open.clear();
  }
}

/** The venue sends several frames for one event, and many for a burst of orders. */
const DELAY_MS = 200;

interface Pending {
  timer: NodeJS.Timeout | null;
  /** The running `handle` call. */
  running: Promise<void> | null;
  /** Events since the last `handle` call began. */
  events: UserStreamEvent[];
}

/**
 * Debounces the events of user streams per account. Events within `DELAY_MS` lead to one call of
 * `handle`. Events that arrive during a call lead to one more call after it, so no event is lost.
 */
export class EventDebouncer {
  private readonly pending = new Map<string, Pending>();
  private isStopped = false;

  /** @param handle must not throw. */
  constructor(
    private readonly handle: (userId: string, events: UserStreamEvent[]) => Promise<void>,
  ) {}

  push(userId: string, event: UserStreamEvent): void {
    if (this.isStopped) return;
    const known = this.pending.get(userId);
    if (known) known.events.push(event);
    else this.schedule(userId, [event]);
  }

  /** Drops pending events and waits for the calls that are running. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const all = [...this.pending.values()];
    for (const { timer } of all) if (timer) clearTimeout(timer);
    await Promise.all(all.map(({ running }) => running));
  }

  private schedule(userId: string, events: UserStreamEvent[]): void {
    const pending: Pending = { timer: null, running: null, events };
    this.pending.set(userId, pending);
    pending.timer = setTimeout(() => {
      pending.timer = null;
      pending.running = this.handle(userId, pending.events.splice(0)).finally(() => {
        this.pending.delete(userId);
        if (pending.events.length > 0 && !this.isStopped) this.schedule(userId, pending.events);
      });
    }, DELAY_MS);
    pending.timer.unref();
  }
}
