import "server-only";
import { cache } from "react";
import { z } from "zod";
import { requireSession } from "@/app/_lib/require-session";
import { browseMarkets } from "@/lib/markets/browse-markets";
import { MarketBrowse } from "@/lib/schemas/market-pages";
import { withStaleReads } from "@/lib/stale-reads";

/** Returns the event of the page, or null if it isn't listed. Loaded once for the page and its title. */
export const loadEvent = cache(async (eventSlug: string) => {
  const { principal } = await requireSession();
  const read = await withStaleReads(async () =>
    z.encode(
      MarketBrowse,
      await browseMarkets(principal, {
        search: "",
        category: null,
        status: null,
        sort: "popular",
        isWatchlist: false,
        eventSlug,
        limit: 1,
      }),
    ),
  );
  if (!read.isKnown) return read;
  const [group] = read.value.groups;
  return { ...read, value: group ? { principal, group, outage: read.outage } : null };
});

export type LoadedEvent = NonNullable<
  Extract<Awaited<ReturnType<typeof loadEvent>>, { isKnown: true }>["value"]
>;
