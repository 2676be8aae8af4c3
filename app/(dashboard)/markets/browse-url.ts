import { type PageQuery, pickParams } from "@/app/_lib/search-params";
import { shortenSearch } from "@/lib/domain/search";
import { RANKINGS } from "@/lib/markets/event-groups";
import type { BrowseQuery } from "@/lib/markets/browse-markets";

/** The query parameters of the markets page. */
export type BrowseParams = { [Name in (typeof NAMES)[number]]?: string | undefined };

const NAMES = ["q", "cat", "status", "sort", "view", "list", "page"] as const;
const STATUSES = ["open", "closed", "resolved"] as const;
export const PAGE_ROWS = 30;
/** The most pages that one list shows. */
const MAX_PAGES = 20;

/** Picks the known parameters of a query. Repeated and unknown names are ignored. */
export function readParams(query: PageQuery): BrowseParams {
  const picked = pickParams(query, NAMES);
  return picked.q === undefined ? picked : { ...picked, q: shortenSearch(picked.q) };
}

/** Builds the page's URL with changed parameters. Starts at the first page. */
export function buildBrowseHref(params: BrowseParams, change: BrowseParams): string {
  const { page: _, ...others } = params;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...others, ...change })) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "/markets" : `/markets?${text}`;
}

/** Parses the parameters. Invalid values are ignored. A watchlist shows every status. */
export function toQuery(params: BrowseParams): BrowseQuery & { page: number } {
  const isWatchlist = params.list === "watch";
  const everyStatus = params.status === "all" || isWatchlist;
  const page = Math.min(MAX_PAGES, Math.max(1, Math.floor(Number(params.page)) || 1));
  return {
    search: params.q ?? "",
    category: params.cat ?? null,
    status: STATUSES.find((status) => status === params.status) ?? (everyStatus ? null : "open"),
    sort: RANKINGS.find((ranking) => ranking === params.sort) ?? "popular",
    isWatchlist,
    eventSlug: null,
    limit: page * PAGE_ROWS,
    page,
  };
}
