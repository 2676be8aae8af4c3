import type { z } from "zod";
import type { LiveBook, RestingOwnOrder } from "@/lib/schemas/market-pages";

export type LiveBookWire = z.input<typeof LiveBook>;
export type OwnOrderWire = z.input<typeof RestingOwnOrder>;

/** How the book comes in: not yet, streamed, polled, not for the moment, or no more. */
type Connection = "connecting" | "live" | "polling" | "resyncing" | "ended";

export interface BookState {
  live: LiveBookWire;
  orders: readonly OwnOrderWire[];
  /** When this was true, in milliseconds since the epoch. */
  at: number;
  connection: Connection;
  isPaused: boolean;
}

/** The time that the store runs on; tests bring their own. */
export interface Beat {
  now: () => number;
  /** Calls back before the next paint, but not before `delayMs`. */
  schedule: (work: () => void, delayMs: number) => void;
}

const FLUSH_EVERY_MS = 200;
/** What is under a finger stays where it is, for so long. */
const HOLD_MS = 3_000;

const browserBeat: Beat = {
  now: () => Date.now(),
  schedule: (work, delayMs) => {
    setTimeout(() => requestAnimationFrame(work), delayMs);
  },
};

export interface BookStore {
  get: () => BookState;
  subscribe: (listener: () => void) => () => void;
  /** Takes in news. They show with the next flush, of which there are at most five a second. */
  push: (news: Partial<Omit<BookState, "isPaused">>) => void;
  setPaused: (isPaused: boolean) => void;
  /** The pointer is down or a row has the focus. */
  hold: () => void;
  release: () => void;
}

/** A book outside React: news are gathered here and shown at a pace that eyes can follow. */
export function createBookStore(
  initial: Omit<BookState, "connection" | "isPaused">,
  beat: Beat = browserBeat,
): BookStore {
  let shown: BookState = { ...initial, connection: "connecting", isPaused: false };
  let pending: Partial<BookState> | null = null;
  let isScheduled = false;
  let flushedAt = 0;
  let heldUntil = 0;
  const listeners = new Set<() => void>();

  const show = (change: Partial<BookState>) => {
    shown = { ...shown, ...change };
    for (const listener of listeners) listener();
  };
  const flush = () => {
    isScheduled = false;
    if (pending === null || shown.isPaused) return;
    if (beat.now() < heldUntil) return schedule();
    const change = pending;
    pending = null;
    flushedAt = beat.now();
    show(change);
  };
  const schedule = () => {
    if (isScheduled || pending === null || shown.isPaused) return;
    isScheduled = true;
    const due = Math.max(flushedAt + FLUSH_EVERY_MS, heldUntil);
    beat.schedule(flush, Math.max(0, due - beat.now()));
  };
  return {
    get: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    push: (news) => {
      pending = { ...pending, ...news };
      schedule();
    },
    setPaused: (isPaused) => {
      show({ isPaused });
      schedule();
    },
    hold: () => {
      heldUntil = beat.now() + HOLD_MS;
    },
    release: () => {
      heldUntil = 0;
    },
  };
}
