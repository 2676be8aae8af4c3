import "server-only";
import { cache } from "react";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { MarketHeader } from "@/lib/schemas/market-pages";
import { MarketDetail } from "@/lib/schemas/markets";
import { findMarketPage } from "@/lib/services/markets/get-market-page";

/** The market of this request, looked up once for the page and its title. */
export const loadMarket = cache(async (slug: string, token: string | undefined) => {
  const session = await requireSession();
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

export type LoadedMarket = NonNullable<Awaited<ReturnType<typeof loadMarket>>>;
