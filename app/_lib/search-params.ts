import "server-only";

/** What a page's `searchParams` resolve to. */
export type PageQuery = Record<string, string | string[] | undefined>;

/** A page's query as the web knows it; of a name that is given twice, the first counts. */
export function toSearchParams(query: PageQuery): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined && first !== "") params.set(name, first);
  }
  return params;
}

/** Only the named parameters, in their order, as text for an address. */
export function pickQuery(query: URLSearchParams, names: readonly string[]): string {
  const picked = new URLSearchParams();
  for (const name of names) {
    const value = query.get(name);
    if (value) picked.set(name, value);
  }
  return picked.toString();
}
