import { RANKINGS } from "@/lib/services/markets/event-groups";
import type { BrowseQuery } from "@/lib/services/markets/browse-markets";

/** What the address of the markets page may say. */
export type BrowseParams = { [Name in (typeof NAMES)[number]]?: string | undefined };

const NAMES = ["q", "cat", "status", "sort", "view", "list", "event", "page"] as const;
const STATUSES = ["open", "closed", "resolved"] as const;
export const PAGE_ROWS = 30;
/** Beyond this a search finds faster than scrolling. */
const MAX_PAGES = 20;

/** Takes from a query what the page knows; repeated and unknown names are left out. */
export function readParams(query: Record<string, string | string[] | undefined>): BrowseParams {
  const known = NAMES.flatMap((name) => {
    const value = query[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The page's address with some of it changed. Whatever else changes, one starts at the first page. */
export function browseHref(params: BrowseParams, change: BrowseParams): string {
  const { page: _, ...kept } = params;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kept, ...change })) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "/markets" : `/markets?${text}`;
}

/** What is not understood counts as not given. A watchlist and an event show every status. */
export function toQuery(params: BrowseParams): BrowseQuery & { page: number } {
  const isWatchlist = params.list === "watch";
  const everyStatus = params.status === "all" || isWatchlist || params.event !== undefined;
  const page = Math.min(MAX_PAGES, Math.max(1, Math.floor(Number(params.page)) || 1));
  return {
    search: params.q ?? "",
    category: params.cat ?? null,
    status: STATUSES.find((status) => status === params.status) ?? (everyStatus ? null : "open"),
    sort: RANKINGS.find((ranking) => ranking === params.sort) ?? "popular",
    isWatchlist,
    eventSlug: params.event ?? null,
    limit: page * PAGE_ROWS,
    page,
  };
}
