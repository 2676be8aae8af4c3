import type { z } from "zod";
import type { LiveBook, TapeTrade } from "@/lib/schemas/market-pages";
import { parseMicroNumber } from "@/lib/domain/ticket/book";
import { complement, microToNumber, price } from "@/lib/units";

export type LiveBookWire = z.input<typeof LiveBook>;
export type TapeTradeWire = z.input<typeof TapeTrade>;

/** The connection that updates the book. "ended" means that the session has ended. */
type Connection = "connecting" | "live" | "polling" | "resyncing" | "ended";

export interface BookState {
  live: LiveBookWire;
  /** The market's last trades, newest first. */
  trades: readonly TapeTradeWire[];
  /** When the book was current, in milliseconds since the epoch. */
  at: number;
  connection: Connection;
  isPaused: boolean;
}

/** The store's clock and timer, replaceable in tests. */
export interface Scheduler {
  now: () => number;
  /** Runs work before the next paint after `delayMs`. */
  schedule: (work: () => void, delayMs: number) => void;
}

const FLUSH_EVERY_MS = 200;
/** Rows under a pressed pointer or with the focus stay in place for this long. */
const HOLD_MS = 3_000;

const browserScheduler: Scheduler = {
  now: () => Date.now(),
  schedule: (work, delayMs) => {
    setTimeout(() => requestAnimationFrame(work), delayMs);
  },
};

export interface BookStore {
  get: () => BookState;
  subscribe: (listener: () => void) => () => void;
  /** Adds an update. It becomes visible with the next flush, at most five times a second. */
  push: (update: Partial<Omit<BookState, "isPaused">>) => void;
  setPaused: (isPaused: boolean) => void;
  /** Called while the pointer is down or a row has the focus. */
  hold: () => void;
  release: () => void;
}

/** Creates a book store outside React. It batches updates to a readable rate. */
export function createBookStore(
  initial: Omit<BookState, "connection" | "isPaused">,
  scheduler: Scheduler = browserScheduler,
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
    if (scheduler.now() < heldUntil) return schedule();
    const change = pending;
    pending = null;
    flushedAt = scheduler.now();
    show(change);
  };
  const schedule = () => {
    if (isScheduled || pending === null || shown.isPaused) return;
    isScheduled = true;
    const due = Math.max(flushedAt + FLUSH_EVERY_MS, heldUntil);
    scheduler.schedule(flush, Math.max(0, due - scheduler.now()));
  };
  return {
    get: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    push: (update) => {
      pending = { ...pending, ...update };
      schedule();
    },
    setPaused: (isPaused) => {
      show({ isPaused });
      schedule();
    },
    hold: () => {
      heldUntil = scheduler.now() + HOLD_MS;
    },
    release: () => {
      heldUntil = 0;
    },
  };
}

type Level = LiveBookWire["book"]["bids"][number];

/** Returns the book of the market's other token: a bid for one token is an ask for the other. */
export function mirrorLiveBook(live: LiveBookWire, tokenId: string): LiveBookWire {
  const { book, mark, lastPrice } = live;
  return {
    ...live,
    book: { ...book, tokenId, bids: book.asks.map(mirrorLevel), asks: book.bids.map(mirrorLevel) },
    mark: mirrorPrice(mark),
    lastPrice: lastPrice === null ? null : mirrorPrice(lastPrice),
  };
}

const mirrorLevel = (level: Level): Level => ({ ...level, price: mirrorPrice(level.price) });
const mirrorPrice = (at: number) => microToNumber(complement(price(parseMicroNumber(at))));
