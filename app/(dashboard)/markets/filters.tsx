import { LayoutGrid, Star, Table2 } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { type BrowseParams, buildBrowseHref } from "@/app/(dashboard)/markets/browse-url";
import { SearchBox } from "@/components/markets/search-box";

const STATUSES = [
  ["open", "Open"],
  ["closed", "Awaiting result"],
  ["resolved", "Resolved"],
  ["all", "Any"],
] as const;

const SORTS = [
  ["popular", "Popular"],
  ["closing", "Closing soon"],
  ["newest", "Newest"],
  ["move", "Biggest move"],
] as const;

interface Props {
  params: BrowseParams;
  categories: readonly string[];
}

/** The filters and the order of the list, as links and one form, so that the URL has all of them. */
export function MarketFilters({ params, categories }: Props) {
  const otherParams = Object.entries(params).flatMap(([name, value]) =>
    name === "q" || name === "page" || value === undefined ? [] : [[name, value] as const],
  );
  const isAllByDefault = params.list === "watch" || params.event !== undefined;
  return (
    <div className="mb-4 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox path="/markets" search={params.q ?? ""} otherParams={otherParams} />
        <ViewToggle params={params} />
      </div>
      <Choices
        label="Category"
        items={[undefined, ...categories].map((cat) => ({
          href: buildBrowseHref(params, { cat }),
          label: (
            <span className={cat === undefined ? "" : "capitalize"}>{cat ?? "All categories"}</span>
          ),
          isCurrent: params.cat === cat,
        }))}
      />
      <div className="flex flex-wrap items-center gap-x-6">
        <Choices
          label="Status"
          isLabelShown
          items={STATUSES.map(([status, label]) => ({
            href: buildBrowseHref(params, { status }),
            label,
            isCurrent: (params.status ?? (isAllByDefault ? "all" : "open")) === status,
          }))}
        />
        <Choices
          label="Sort by"
          isLabelShown
          items={SORTS.map(([sort, label]) => ({
            href: buildBrowseHref(params, { sort }),
            label,
            isCurrent: (params.sort ?? "popular") === sort,
          }))}
        />
      </div>
    </div>
  );
}

const CHIP =
  "inline-flex h-11 shrink-0 items-center gap-1.5 rounded-pill px-3 text-small font-[550] whitespace-nowrap text-text-2 hover:bg-surface-2 hover:text-text aria-[current]:bg-surface-3 aria-[current]:text-text lg:h-8";

interface Choice {
  href: string;
  label: ReactNode;
  isCurrent: boolean;
}

interface ChoicesProps {
  label: string;
  isLabelShown?: boolean;
  items: readonly Choice[];
}

function Choices({ label, isLabelShown = false, items }: ChoicesProps) {
  return (
    <nav aria-label={label} className="-mx-1 flex min-w-0 items-center gap-1 overflow-x-auto p-1">
      {isLabelShown && (
        <span aria-hidden="true" className="shrink-0 pr-1 text-caption text-text-3">
          {label}
        </span>
      )}
      {items.map((item) => (
        <Link
          key={item.href}
          href={item.href}
          prefetch={false}
          scroll={false}
          aria-current={item.isCurrent ? "true" : undefined}
          className={CHIP}
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}

function ViewToggle({ params }: { params: BrowseParams }) {
  const isWatchlist = params.list === "watch";
  const isCards = params.view === "cards";
  return (
    <nav aria-label="View" className="flex items-center gap-1">
      <Link
        href={buildBrowseHref(params, { list: isWatchlist ? undefined : "watch" })}
        prefetch={false}
        scroll={false}
        aria-current={isWatchlist ? "true" : undefined}
        className={CHIP}
      >
        <Star aria-hidden="true" className="size-4" /> Watchlist
      </Link>
      <Link
        href={buildBrowseHref(params, { view: isCards ? undefined : "cards" })}
        prefetch={false}
        scroll={false}
        className={`${CHIP} max-md:hidden`}
      >
        {isCards ? (
          <Table2 aria-hidden="true" className="size-4" />
        ) : (
          <LayoutGrid aria-hidden="true" className="size-4" />
        )}
        {isCards ? "Table" : "Cards"}
      </Link>
    </nav>
  );
}
