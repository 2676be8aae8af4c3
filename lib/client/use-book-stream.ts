"use client";

import { useEffect } from "react";
import type { z } from "zod";
import type { BookStore, LiveBookWire, OwnOrderWire } from "@/lib/client/book-store";
import { ApiError, fetchData } from "@/lib/client/fetcher";
import { REFRESH } from "@/lib/client/refresh";
import type { LiveMarket } from "@/lib/schemas/market-pages";

export type LiveMarketWire = z.input<typeof LiveMarket>;

/** The stream says something at least every two seconds: longer silence means it does not deliver. */
const SILENCE_MS = 6_000;
const WATCH_EVERY_MS = 1_000;
/** After a refusal, such as too many streams. */
const RETRY_MS = 30_000;
const SLOW_FACTOR = 5;

interface Subject {
  market: string;
  token: string;
}

/**
 * Keeps a store up to date while the page is looked at: by server-sent events, and by polling
 * whenever those do not arrive. Paused, it asks for nothing.
 */
export function useBookStream(
  store: BookStore,
  { market, token }: Subject,
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
  // What the server rendered was true a moment ago; what was left by an earlier feed may be old.
  if (store.get().connection !== "connecting") store.push({ connection: "resyncing" });
  const poller = createPoller(store, query, pace === "slow" ? SLOW_FACTOR : 1);
  if (pace === "slow") {
    poller.start();
    return poller;
  }
  const stream = createStream(store, query, poller);
  return {
    stop: () => {
      stream.stop();
      poller.stop();
    },
  };
}

interface Poller extends Feed {
  start: () => void;
}

function createPoller(store: BookStore, query: string, factor: number): Poller {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const poll = async () => {
    try {
      const { live, orders } = await fetchData<LiveMarketWire>(`/api/ui/book?${query}`);
      if (timer) store.push({ live, orders, at: Date.now(), connection: "polling" });
    } catch (error) {
      const isOver = error instanceof ApiError && error.status === 401;
      if (isOver) stop();
      store.push({ connection: isOver ? "ended" : "resyncing" });
    }
  };
  const start = () => {
    if (timer) return;
    timer = setInterval(poll, REFRESH.book.everyMs * factor);
    void poll();
  };
  return { start, stop };
}

function createStream(store: BookStore, query: string, poller: Poller): Feed {
  let source: EventSource | null = null;
  let heardAt = Date.now();
  let refusedAt = 0;
  const heard = () => {
    heardAt = Date.now();
    poller.stop();
    return { at: heardAt, connection: "live" } as const;
  };
  const open = () => {
    source = new EventSource(`/api/ui/stream?${query}`);
    source.addEventListener("book", (event) => {
      store.push({ ...heard(), live: JSON.parse(event.data) as LiveBookWire });
    });
    source.addEventListener("orders", (event) => {
      store.push({ orders: JSON.parse(event.data) as OwnOrderWire[] });
    });
    source.addEventListener("still", () => store.push(heard()));
    source.addEventListener("ended", () => {
      stop();
      store.push({ connection: "ended" });
    });
    source.addEventListener("error", () => {
      store.push({ connection: "resyncing" });
      if (source?.readyState !== EventSource.CLOSED) return;
      refusedAt = Date.now();
      poller.start();
    });
  };
  const watch = setInterval(() => {
    if (Date.now() - heardAt > SILENCE_MS) poller.start();
    const isRefused = source?.readyState === EventSource.CLOSED;
    if (isRefused && Date.now() - refusedAt > RETRY_MS) open();
  }, WATCH_EVERY_MS);
  const stop = () => {
    clearInterval(watch);
    source?.close();
    poller.stop();
  };
  open();
  return { stop };
}
