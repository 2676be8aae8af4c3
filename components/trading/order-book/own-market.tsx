"use client";

import { createContext, type ReactNode, useContext } from "react";
import { usePreferences } from "@/components/format/preferences";
import type { Initial } from "@/lib/browser/use-live";
import { type OwnMarketWire, useOwnMarketData } from "@/lib/browser/use-own-market";

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
