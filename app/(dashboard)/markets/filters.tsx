import { LayoutGrid, Star, Table2 } from "lucide-react";
import { type BrowseParams, buildBrowseHref, toQuery } from "@/app/(dashboard)/markets/browse-url";
import { formatCount } from "@/components/format/numbers";
import { SearchBox } from "@/components/markets/search-box";
import { FilterForm, FilterSelect } from "@/components/ui/filter-form";
import { PillLink } from "@/components/ui/pill-link";

const STATUSES = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Awaiting result" },
  { value: "resolved", label: "Resolved" },
  { value: "all", label: "Any status" },
] as const;

const SORTS = [
  { value: "popular", label: "Popular" },
  { value: "closing", label: "Closing soon" },
  { value: "newest", label: "Newest" },
  { value: "move", label: "Biggest move" },
] as const;

interface Props {
  params: BrowseParams;
  categories: readonly string[];
}

/**
 * The search, a row with the status and the order of the list, and a row with the categories, which
 * scrolls on a phone. The URL has all of them. On a wide screen the selects stand beside the search.
 */
export function MarketFilters({ params, categories }: Props) {
  const query = toQuery(params);
  const hasFilters = [params.cat, params.status, params.sort].some((value) => value !== undefined);
  const { q, view, list } = params;
  return (
    <div className="mb-3 flex flex-col gap-1 lg:flex-row lg:flex-wrap lg:items-center lg:gap-2">
      <SearchBox path="/markets" search={q ?? ""} otherParams={listOthers(params, ["q"])} />
      <FilterForm
        action="/markets"
        label="Filter markets"
        isMerged
        fixed={Object.fromEntries(listOthers(params, ["status", "sort"]))}
        clearHref={hasFilters ? buildBrowseHref({ q, view, list }, {}) : undefined}
      >
        <DefaultedSelect
          label="Status"
          name="status"
          choices={STATUSES}
          value={query.status ?? "all"}
          preset={toQuery({ ...params, status: undefined }).status ?? "all"}
        />
        <DefaultedSelect
          label="Sort by"
          name="sort"
          choices={SORTS}
          value={query.sort}
          preset="popular"
        />
      </FilterForm>
      <Categories params={params} categories={categories} />
    </div>
  );
}

/** Returns the parameters that a form keeps as they are. A new filter starts at the first page. */
function listOthers(params: BrowseParams, own: readonly string[]): [string, string][] {
  return Object.entries(params).flatMap(([name, value]): [string, string][] =>
    own.includes(name) || name === "page" || value === undefined ? [] : [[name, value]],
  );
}

interface FoundEvents {
  total: number;
  groups: readonly unknown[];
}

interface DefaultedSelectProps {
  label: string;
  name: string;
  choices: readonly { value: string; label: string }[];
  value: string;
  /** The choice without a parameter in the URL. */
  preset: string;
}

/** A select whose first choice is the list's own, which the URL doesn't name. */
function DefaultedSelect({ label, name, choices, value, preset }: DefaultedSelectProps) {
  return (
    <FilterSelect
      label={label}
      name={name}
      all={choices.find((choice) => choice.value === preset)?.label ?? ""}
      value={value === preset ? "" : value}
      options={choices.filter((choice) => choice.value !== preset)}
    />
  );
}

function Categories({ params, categories }: Props) {
  return (
    <nav
      aria-label="Category"
      className="scroll-cue relative flex items-center gap-1 overflow-x-auto md:flex-wrap lg:basis-full"
    >
      <PillLink
        href={buildBrowseHref(params, { cat: undefined })}
        isCurrent={params.cat === undefined}
      >
        All categories
      </PillLink>
      {categories.map((cat) => (
        <PillLink
          key={cat}
          href={buildBrowseHref(params, { cat })}
          isCurrent={params.cat === cat}
          className="capitalize"
        >
          {cat}
        </PillLink>
      ))}
    </nav>
  );
}

/** The list in words. Paper has no filters, and no names of columns. */
export function ListDescription({ params, found }: { params: BrowseParams; found: FoundEvents }) {
  const { total, groups } = found;
  const { search, category, status, sort, isWatchlist } = toQuery(params);
  const filters = [
    isWatchlist ? "Watchlist" : null,
    search === "" ? null : `Search: “${search}”`,
    category === null ? null : `Category: ${category}`,
    `Status: ${STATUSES.find(({ value }) => value === (status ?? "all"))?.label}`,
    `Sorted by: ${SORTS.find(({ value }) => value === sort)?.label}`,
  ].filter((filter) => filter !== null);
  return (
    <>
      {formatCount(total)} {total === 1 ? "event" : "events"}
      <span className="hidden print:inline">
        {total > groups.length && `, the first ${groups.length}`}. {filters.join(". ")}.
        {status !== "resolved" &&
          " Of each outcome: its chance, its price over 7 days, its change in 24 hours, and the prices to buy."}
      </span>
    </>
  );
}

/** Links to the watchlist, and to the other of the two views of the list. */
export function ListLinks({ params }: { params: BrowseParams }) {
  const isWatchlist = params.list === "watch";
  const isCards = params.view === "cards";
  const ViewIcon = isCards ? Table2 : LayoutGrid;
  return (
    <nav aria-label="View" className="flex items-center gap-1">
      <PillLink
        href={buildBrowseHref(params, { list: isWatchlist ? undefined : "watch" })}
        isCurrent={isWatchlist}
      >
        <Star aria-hidden="true" className="size-4" /> Watchlist
      </PillLink>
      <PillLink
        href={buildBrowseHref(params, { view: isCards ? undefined : "cards" })}
        isCurrent={false}
        className="max-md:hidden"
      >
        <ViewIcon aria-hidden="true" className="size-4" />
        {isCards ? "Table" : "Cards"}
      </PillLink>
    </nav>
  );
}
