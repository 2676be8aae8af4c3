"use client";

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { usePreferences } from "@/components/format/preferences";
import { type BookState, type BookStore, createBookStore } from "@/lib/browser/book-store";
import { type LiveMarketWire, useBookStream } from "@/lib/browser/use-book-stream";
import type { Initial } from "@/lib/browser/use-live";

const StoreContext = createContext<BookStore | null>(null);

interface Props {
  marketId: string;
  tokenId: string;
  initial: Initial<LiveMarketWire>;
  children: ReactNode;
}

/** Shares one stream among all live parts of a market's page. */
export function LiveMarketProvider({ marketId, tokenId, initial, children }: Props) {
  const { liveUpdates } = usePreferences();
  const store = useOutcomeStore(tokenId, initial);
  const { isPaused } = useBookState(store);
  useBookStream(store, { market: marketId, token: tokenId }, isPaused ? "paused" : liveUpdates);
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** Returns the page's book store. */
export function useLiveMarket(): BookStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("useLiveMarket must be called inside a LiveMarketProvider");
  return store;
}

export function useBookState(store: BookStore): BookState {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** Returns one store per outcome. A new server render updates the existing store. */
function useOutcomeStore(tokenId: string, { data, at }: Initial<LiveMarketWire>): BookStore {
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
