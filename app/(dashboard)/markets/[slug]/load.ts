import "server-only";
import { cache } from "react";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { LiveMarket, MarketHeader } from "@/lib/schemas/market-pages";
import { MarketDetail } from "@/lib/schemas/markets";
import { listMarketFills } from "@/lib/services/activity/list-market-fills";
import { findMarketPage } from "@/lib/services/markets/get-market-page";
import { readLiveMarket } from "@/lib/services/stream/read-live-market";
import { showing } from "@/lib/showing";

/** Own fills that the chart and the list beneath it show. */
const FILLS_SHOWN = 50;

/** The market of this request, looked up once for the page and its title; null when there is none. */
export const loadMarket = cache(async (slug: string, token: string | undefined) => {
  const session = await requireSession();
  return showing(async () => {
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

/** What moves in it and what the account did in it, and why some of it is old. */
export async function loadLive({ session, market, outcome }: LoadedMarket) {
  const { principal } = session;
  const [live, fills] = await Promise.all([
    showing(async () =>
      z.encode(LiveMarket, await readLiveMarket(principal, market.id, outcome.tokenId)),
    ),
    listMarketFills(principal, market.id, FILLS_SHOWN),
  ]);
  return { live, fills };
}

type Found = Extract<Awaited<ReturnType<typeof loadMarket>>, { isKnown: true }>["value"];
export type LoadedMarket = NonNullable<Found>;
