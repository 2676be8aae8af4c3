import { type PageQuery, pickParams } from "@/app/_lib/search-params";
import { TICKET_FIELDS } from "@/lib/domain/ticket/href";

/** The query parameters of a market's page, including the ticket's fields. */
export type PageParams = { [Name in (typeof NAMES)[number]]?: string | undefined };

const NAMES = [...TICKET_FIELDS, "tab", "range", "chart", "claimed", "problem"] as const;

export const TABS = ["book", "trades", "yours", "rules"] as const;
export type Tab = (typeof TABS)[number];

export function readParams(query: PageQuery): PageParams {
  return pickParams(query, NAMES);
}

/** Builds the page's URL with changed parameters. */
export function buildPageHref(slug: string, params: PageParams, change: PageParams): string {
  const query = new URLSearchParams();
  // How a claim ended belongs to the page that it led to.
  const shown = { ...params, claimed: undefined, problem: undefined, ...change };
  for (const [name, value] of Object.entries(shown)) {
    if (value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return `/markets/${slug}${text === "" ? "" : `?${text}`}`;
}
