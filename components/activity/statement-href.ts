/** What the activity page shows, as its address carries it. */
export interface StatementView {
  type: string | null;
  market: string;
  from: string;
  to: string;
}

/** The query of a view; what is not asked for is left out. */
export function statementQuery(view: StatementView, more: Record<string, string> = {}): string {
  const { type, market, from, to } = view;
  const wanted = Object.entries({ type: type ?? "", market, from, to, ...more });
  return new URLSearchParams(wanted.filter(([, value]) => value !== "")).toString();
}

export const isFiltered = (view: StatementView) => statementQuery(view) !== "";
