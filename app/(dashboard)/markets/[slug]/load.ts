import "server-only";
import { cache } from "react";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { LiveMarket, MarketHeader, OwnMarket } from "@/lib/schemas/market-pages";
import { MarketDetail } from "@/lib/schemas/markets";
import { getOwnMarket } from "@/lib/activity/get-own-market";
import { findMarketPage } from "@/lib/markets/get-market-page";
import { readLiveMarket } from "@/lib/markets/read-live-market";
import { withStaleReads } from "@/lib/stale-reads";

/** Returns the market of the page, or null. Loaded once for the page and its title. */
export const loadMarket = cache(async (slug: string, token: string | undefined) => {
  const session = await requireSession();
  return withStaleReads(async () => {
    const found = await findMarketPage(session.principal, slug, token);
    if (!found) return null;
    const detail = z.encode(MarketDetail, found.detail);
    return {
      session,
      market: found.market,
      detail,
      outcome: detail.outcomes[found.outcome],
      header: z.encode(MarketHeader, found.header),
    };
  });
});

/** Loads the live data, and what the account has in the market. */
export async function loadLive({ session, market, outcome }: LoadedMarket) {
  const { principal } = session;
  const [live, own] = await Promise.all([
    withStaleReads(async () =>
      z.encode(LiveMarket, await readLiveMarket(principal, market.id, outcome.tokenId)),
    ),
    getOwnMarket(principal, market.id),
  ]);
  return { live, own: z.encode(OwnMarket, own) };
}

export type LoadedMarket = NonNullable<
  Extract<Awaited<ReturnType<typeof loadMarket>>, { isKnown: true }>["value"]
>;
