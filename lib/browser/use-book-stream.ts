"use client";

import { useEffect } from "react";
import type { z } from "zod";
import { watchAccountChanges } from "@/lib/browser/account-changes";
import type { BookState, BookStore, LiveBookWire, TapeTradeWire } from "@/lib/browser/book-store";
import { ApiError, fetchData } from "@/lib/browser/fetcher";
import { REFRESH } from "@/lib/browser/refresh";
import type { LiveMarket } from "@/lib/schemas/market-pages";

export type LiveMarketWire = z.input<typeof LiveMarket>;

/** The stream sends an event at least every two seconds. A longer pause means that it is broken. */
const STALLED_AFTER_MS = 6_000;
const CHECK_EVERY_MS = 1_000;
/** A request that a restarted service never got has no response. */
const POLL_TIMEOUT_MS = 4_000;
/** After an error response, such as too many streams. */
const RETRY_MS = 30_000;
const SLOW_FACTOR = 5;

interface StreamTarget {
  market: string;
  token: string;
}

/**
 * Keeps a store up to date while the page is visible: by server-sent events, or by polling while no
 * events arrive. Makes no requests while paused.
 */
export function useBookStream(
  store: BookStore,
  { market, token }: StreamTarget,
  pace: "live" | "slow" | "paused",
): void {
  useEffect(() => {
    if (pace === "paused") return;
    const query = new URLSearchParams({ market, token }).toString();
    let feed: Feed | null = null;
    const follow = () => {
      feed?.stop();
      feed = document.hidden ? null : startFeed(store, query, pace);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      feed?.stop();
    };
  }, [store, market, token, pace]);
}

interface Feed {
  stop: () => void;
}

function startFeed(store: BookStore, query: string, pace: "live" | "slow"): Feed {
  // The server-rendered state is fresh, the state of an earlier feed can be old.
  if (store.get().connection !== "connecting") store.push({ connection: "resyncing" });
  const poller = createPoller(store, query, pace === "slow" ? SLOW_FACTOR : 1);
  if (pace === "slow") {
    poller.start();
    return poller;
  }
  const stream = createStream(store, query, poller);
  // The stream looks for changes only once a second.
  const stopWatching = watchAccountChanges(() => void readOnce(store, query));
  return {
    stop: () => {
      stopWatching();
      stream.stop();
      poller.stop();
    },
  };
}

/** Reads the book and the trades now. The stream reports a failing service. */
async function readOnce(store: BookStore, query: string): Promise<void> {
  const market = await fetchMarket(query).catch(() => null);
  if (market) store.push({ ...market, at: Date.now() });
}

const fetchMarket = (query: string, timeoutMs?: number) =>
  fetchData<LiveMarketWire>(`/api/ui/book?${query}`, timeoutMs);

interface Poller extends Feed {
  start: () => void;
}

/** Reads the market again and again, one request after the other: a browser has few connections to a server. */
function createPoller(store: BookStore, query: string, factor: number): Poller {
  /** The running series of requests; null while stopped. */
  let series: { timer?: ReturnType<typeof setTimeout> } | null = null;
  const stop = () => {
    clearTimeout(series?.timer);
    series = null;
  };
  const poll = async (own: NonNullable<typeof series>) => {
    const update = await readUpdate(query);
    // The stream can be back by now, so that this is older than what the page shows.
    if (series !== own) return;
    store.push(update);
    if (update.connection === "ended") return stop();
    own.timer = setTimeout(() => void poll(own), REFRESH.book.everyMs * factor);
  };
  const start = () => {
    if (series) return;
    series = {};
    void poll(series);
  };
  return { start, stop };
}

async function readUpdate(query: string): Promise<Partial<BookState>> {
  try {
    const { live, trades } = await fetchMarket(query, POLL_TIMEOUT_MS);
    return { live, trades, at: Date.now(), connection: "polling" };
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.status === 401;
    return { connection: isSignedOut ? "ended" : "resyncing" };
  }
}

function createStream(store: BookStore, query: string, poller: Poller): Feed {
  let source: EventSource | null = null;
  let receivedAt = Date.now();
  let failedAt = 0;
  const receive = () => {
    receivedAt = Date.now();
    poller.stop();
    return { at: receivedAt, connection: "live" } as const;
  };
  const open = () => {
    source = new EventSource(`/api/ui/stream?${query}`);
    source.addEventListener("book", (event) => {
      store.push({ ...receive(), live: JSON.parse(event.data) as LiveBookWire });
    });
    source.addEventListener("trades", (event) => {
      store.push({ trades: JSON.parse(event.data) as TapeTradeWire[] });
    });
    source.addEventListener("still", () => store.push(receive()));
    source.addEventListener("ended", () => {
      stop();
      store.push({ connection: "ended" });
    });
    source.addEventListener("error", () => {
      store.push({ connection: "resyncing" });
      if (source?.readyState !== EventSource.CLOSED) return;
      failedAt = Date.now();
      poller.start();
    });
  };
  const watch = setInterval(() => {
    if (Date.now() - receivedAt > STALLED_AFTER_MS) poller.start();
    const isClosed = source?.readyState === EventSource.CLOSED;
    if (isClosed && Date.now() - failedAt > RETRY_MS) open();
  }, CHECK_EVERY_MS);
  const stop = () => {
    clearInterval(watch);
    source?.close();
    poller.stop();
  };
  open();
  return { stop };
}
