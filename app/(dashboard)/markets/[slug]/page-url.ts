import { type PageQuery, pickParams } from "@/app/_lib/search-params";
import { TICKET_FIELDS } from "@/lib/domain/ticket/href";

/** The query parameters of a market's page, including the ticket's fields. */
export type PageParams = { [Name in (typeof NAMES)[number]]?: string | undefined };

const NAMES = [...TICKET_FIELDS, "tab", "range", "chart"] as const;

export const TABS = ["book", "trades", "yours", "rules"] as const;
export type Tab = (typeof TABS)[number];

/** The chart's ranges, as the API's intervals with labels. */
export const RANGES = [
  { range: "1h", label: "1H", period: "the last hour" },
  { range: "6h", label: "6H", period: "the last 6 hours" },
  { range: "1d", label: "1D", period: "the last day" },
  { range: "1w", label: "1W", period: "the last week" },
  { range: "1m", label: "1M", period: "the last month" },
  { range: "max", label: "All", period: "its full history" },
] as const;

export function readParams(query: PageQuery): PageParams {
  return pickParams(query, NAMES);
}

/** Builds the page's URL with changed parameters. */
export function buildPageHref(slug: string, params: PageParams, change: PageParams): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...params, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return `/markets/${slug}${text === "" ? "" : `?${text}`}`;
}
