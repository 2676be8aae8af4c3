import { POSITION_SORTS, type PositionView } from "@/lib/domain/position-list";

type Query = Record<string, string | string[] | undefined>;

const DEFAULTS: PositionView = { text: "", sort: "value", isDescending: true, page: 1 };
const MAX_TEXT = 100;
const PAGE = /^[1-9]\d{0,3}$/;
const DIRECTIONS = new Map<unknown, boolean>([
  ["desc", true],
  ["asc", false],
]);

/** Titles sort from A to Z, figures from the largest. */
const startsDescending = (sort: PositionView["sort"]) => sort !== "market";

/** Whether a view searches, or sorts otherwise than usual. */
export const isSearching = ({ text, sort, isDescending }: PositionView): boolean =>
  text !== DEFAULTS.text || sort !== DEFAULTS.sort || isDescending !== DEFAULTS.isDescending;

/** Parses a view from the page's query. Invalid values are ignored. */
export function parsePositionView(query: Query): PositionView {
  const sort = POSITION_SORTS.find((one) => one === query["sort"]) ?? DEFAULTS.sort;
  const { q: text, page } = query;
  return {
    text: typeof text === "string" ? text.trim().slice(0, MAX_TEXT) : "",
    sort,
    isDescending: DIRECTIONS.get(query["dir"]) ?? startsDescending(sort),
    page: typeof page === "string" && PAGE.test(page) ? Number(page) : DEFAULTS.page,
  };
}

/** Builds the query of a view, without default values. */
export function buildPositionQuery(view: PositionView, range: string): URLSearchParams {
  const query = new URLSearchParams();
  if (range !== "1d") query.set("range", range);
  if (view.text !== "") query.set("q", view.text);
  if (view.sort !== DEFAULTS.sort) query.set("sort", view.sort);
  if (view.isDescending !== startsDescending(view.sort)) {
    query.set("dir", view.isDescending ? "desc" : "asc");
  }
  if (view.page !== DEFAULTS.page) query.set("page", String(view.page));
  return query;
}

/** Builds the URL of a view. */
export function buildPositionViewHref(view: PositionView, range: string): string {
  const query = buildPositionQuery(view, range);
  return query.size > 0 ? `/?${query}` : "/";
}

/** Builds the URL of the first page of closed positions. */
export const buildClosedHref = (range: string): string =>
  `/?tab=closed${range === "1d" ? "" : `&range=${range}`}`;

/** Returns the link of a column's head, and the column's current direction. */
export function buildSortLink(view: PositionView, sort: PositionView["sort"], range: string) {
  const isCurrent = view.sort === sort;
  const isDescending = isCurrent ? !view.isDescending : startsDescending(sort);
  const now = view.isDescending ? "descending" : "ascending";
  return {
    href: buildPositionViewHref({ ...view, sort, isDescending, page: 1 }, range),
    direction: isCurrent ? now : "none",
  } as const;
}
