/** The filters of the activity page, as in its URL. */
export interface StatementView {
  type: string | null;
  market: string;
  from: string;
  to: string;
}

/** Builds the query string of a view, without empty filters. */
export function buildStatementQuery(
  view: StatementView,
  more: Record<string, string> = {},
): string {
  const { type, market, from, to } = view;
  const params = Object.entries({ type: type ?? "", market, from, to, ...more });
  return new URLSearchParams(params.filter(([, value]) => value !== "")).toString();
}

export const isFiltered = (view: StatementView) => buildStatementQuery(view) !== "";
