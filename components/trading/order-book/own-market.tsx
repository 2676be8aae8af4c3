"use client";

import { createContext, type ReactNode, useContext } from "react";
import { usePreferences } from "@/components/format/preferences";
import { useBookState, useLiveMarket } from "@/components/trading/order-book/live-market";
import type { Initial } from "@/lib/browser/use-live";
import { type OwnMarketWire, useOwnMarketData } from "@/lib/browser/use-own-market";
import { mirrorBook, type OutcomeBook, readBook, separateOwn } from "@/lib/domain/ticket/book";

const NOTHING: OwnMarketWire = { positions: [], orders: [], fills: [] };
const OwnMarketContext = createContext<OwnMarketWire>(NOTHING);

interface Props {
  marketId: string;
  initial: Initial<OwnMarketWire>;
  children: ReactNode;
}

/** Shares what the account has in the market among the parts of its page. */
export function OwnMarketProvider({ marketId, initial, children }: Props) {
  const { liveUpdates } = usePreferences();
  const { data } = useOwnMarketData(marketId, initial, liveUpdates);
  return <OwnMarketContext value={data}>{children}</OwnMarketContext>;
}

/** Returns what the account has in the page's market; nothing outside of a provider. */
export function useOwnMarket(): OwnMarketWire {
  return useContext(OwnMarketContext);
}

/** Returns the reader of an outcome's book, in which the account's own orders are separate. */
export function useOutcomeBooks(): (tokenId: string, name: string) => OutcomeBook {
  const { orders } = useOwnMarket();
  const { book } = useBookState(useLiveMarket()).live;
  return (tokenId, name) => {
    const shown = readBook(book);
    return separateOwn(tokenId === book.tokenId ? shown : mirrorBook(shown), name, orders);
  };
}
