/** What the address of a market's page may say; the ticket's fields are among it. */
export type PageParams = { [Name in (typeof NAMES)[number]]?: string | undefined };

const NAMES = [
  "token",
  "side",
  "type",
  "price",
  "shares",
  "amount",
  "tab",
  "range",
  "chart",
] as const;

export const TABS = ["book", "trades", "yours", "rules"] as const;
export type Tab = (typeof TABS)[number];

/** How far back the chart goes, in the interface's words, with their names. */
export const RANGES = [
  { range: "1h", label: "1H", period: "the last hour" },
  { range: "6h", label: "6H", period: "the last 6 hours" },
  { range: "1d", label: "1D", period: "the last day" },
  { range: "1w", label: "1W", period: "the last week" },
  { range: "1m", label: "1M", period: "the last month" },
  { range: "max", label: "All", period: "its whole life" },
] as const;

export function readParams(query: Record<string, string | string[] | undefined>): PageParams {
  const known = NAMES.flatMap((name) => {
    const value = query[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** The page's address with some of it changed. */
export function pageHref(slug: string, params: PageParams, change: PageParams): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...params, ...change })) {
    if (value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return `/markets/${slug}${text === "" ? "" : `?${text}`}`;
}
