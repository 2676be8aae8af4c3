import type { ReactNode } from "react";
import { toIconPath } from "@/components/format/icon-path";
import { MarketTitle } from "@/components/portfolio/market-title";
import { IntentLink } from "@/components/ui/intent-link";

interface Props {
  title: string;
  slug: string | null;
  iconUrl: string | null;
  /** Badges after the title. */
  children?: ReactNode;
}

/**
 * A market: icon, title in at most two lines, and badges. The title is linked if the market has a page. In tables,
 * all lines have the height of two, and all badges one edge.
 */
export function MarketLine({ title, slug, iconUrl, children }: Props) {
  return (
    <span className="flex min-w-0 items-center gap-2 lg:min-h-9 print:min-h-0 print:flex-wrap print:gap-y-0">
      <LineIcon iconUrl={iconUrl} />
      {slug === null ? (
        <span title={title} className="flex min-w-0 leading-[1.125rem] font-[550]">
          <MarketTitle title={title} />
        </span>
      ) : (
        <IntentLink
          href={`/markets/${slug}`}
          title={title}
          className="flex min-w-0 leading-[1.125rem] font-[550] hover:underline"
        >
          <MarketTitle title={title} />
        </IntentLink>
      )}
      <span className="flex shrink-0 items-center gap-1 lg:ml-auto print:ml-0">{children}</span>
    </span>
  );
}

/** A market's icon in a list, or as much space, so that all titles have one edge. */
export function LineIcon({ iconUrl }: { iconUrl: string | null }) {
  return iconUrl === null ? <span className="size-6 shrink-0" /> : <MarketIcon iconUrl={iconUrl} />;
}

/** The path has no host, so that the icon loads from the page's own. */
export function MarketIcon({ iconUrl }: { iconUrl: string | null }) {
  if (iconUrl === null) return null;
  return (
    <img
      src={toIconPath(iconUrl)}
      alt=""
      width={24}
      height={24}
      className="size-6 shrink-0 rounded-[6px]"
    />
  );
}
