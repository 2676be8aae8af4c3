"use client";

import { useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { usePreferences } from "@/components/format/preferences";
import { type BookState, type BookStore, createBookStore } from "@/lib/client/book-store";
import { type LiveMarketWire, useBookStream } from "@/lib/client/use-book-stream";
import type { Initial } from "@/lib/client/use-live";

const StoreContext = createContext<BookStore | null>(null);

interface Props {
  marketId: string;
  tokenId: string;
  initial: Initial<LiveMarketWire>;
  children: ReactNode;
}

/** One stream for everything on a page that shows how a market moves. */
export function LiveMarketProvider({ marketId, tokenId, initial, children }: Props) {
  const { liveUpdates } = usePreferences();
  const store = useStoreOf(tokenId, initial);
  const { isPaused } = useBookState(store);
  useBookStream(store, { market: marketId, token: tokenId }, isPaused ? "paused" : liveUpdates);
  useRefreshOnOwnChange(store);
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** The book of the page this stands on. */
export function useLiveMarket(): BookStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("a live figure stands inside a LiveMarketProvider");
  return store;
}

export function useBookState(store: BookStore): BookState {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** A store per outcome; a page rendered anew brings what it has learned into the one there is. */
function useStoreOf(tokenId: string, { data, at }: Initial<LiveMarketWire>): BookStore {
  const [entry, setEntry] = useState(() => ({ tokenId, store: createBookStore({ ...data, at }) }));
  let { store } = entry;
  if (entry.tokenId !== tokenId) {
    store = createBookStore({ ...data, at });
    setEntry({ tokenId, store });
  }
  useEffect(() => {
    if (at > store.get().at) store.push({ ...data, at });
  }, [store, data, at]);
  return store;
}

/** An own order appeared, filled or went: what the server rendered of the account is old. */
function useRefreshOnOwnChange(store: BookStore): void {
  const router = useRouter();
  useEffect(() => {
    let known = JSON.stringify(store.get().orders);
    return store.subscribe(() => {
      const current = JSON.stringify(store.get().orders);
      if (current === known) return;
      known = current;
      router.refresh();
    });
  }, [store, router]);
}
