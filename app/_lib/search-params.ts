import "server-only";

/** The resolved `searchParams` of a page. */
export type PageQuery = Record<string, string | string[] | undefined>;

/** Longer values are cut off, because pages repeat them in links. */
const MAX_LENGTH = 512;

/** Converts a page's query to URLSearchParams. The first of repeated values counts. */
export function toSearchParams(query: PageQuery): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined && first !== "") params.set(name, first.slice(0, MAX_LENGTH));
  }
  return params;
}

/** Picks the named parameters that occur once. */
export function pickParams<Name extends string>(
  query: PageQuery,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const picked: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = query[name];
    if (typeof value === "string" && value !== "") picked[name] = value.slice(0, MAX_LENGTH);
  }
  return picked;
}

/** Returns a query string with only the named parameters, in their order. */
export function pickQuery(query: URLSearchParams, names: readonly string[]): string {
  const picked = new URLSearchParams();
  for (const name of names) {
    const value = query.get(name);
    if (value) picked.set(name, value);
  }
  return picked.toString();
}

/** Reads a count of up to six digits; null if it is missing or something else. */
export function parseCount(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
