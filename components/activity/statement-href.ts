import type { StatementType } from "@/lib/schemas/statement";

/** The filters of the activity page and how it shows amounts, as in its URL. */
export interface StatementView {
  type: StatementType | null;
  market: string;
  from: string;
  to: string;
  /** Whether amounts have all six decimals. */
  isExact: boolean;
}

/** Builds the query string of a view, without empty parameters. */
export function buildStatementQuery(
  view: StatementView,
  more: Record<string, string> = {},
): string {
  const { type, market, from, to, isExact } = view;
  const exact = isExact ? "1" : "";
  const params = Object.entries({ type: type ?? "", market, from, to, exact, ...more });
  return new URLSearchParams(params.filter(([, value]) => value !== "")).toString();
}

/** Builds the link to a view, with changes. */
export function buildStatementHref(
  view: StatementView,
  change: Partial<StatementView> = {},
  more: Record<string, string> = {},
): string {
  const query = buildStatementQuery({ ...view, ...change }, more);
  return query === "" ? "/activity" : `/activity?${query}`;
}

export const isFiltered = (view: StatementView) =>
  buildStatementQuery({ ...view, isExact: false }) !== "";
