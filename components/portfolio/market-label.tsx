import { toIconPath } from "@/components/format/icon-path";
import { IntentLink } from "@/components/ui/intent-link";
import type { ReactNode } from "react";

interface Props {
  title: string;
  slug: string | null;
  iconUrl: string | null;
  /** The line under the title. */
  children?: ReactNode;
}

/** A market's icon and title, linked to its page if it has one. */
export function MarketLabel({ title, slug, iconUrl, children }: Props) {
  return (
    <span className="flex min-w-0 items-start gap-2.5">
      {iconUrl !== null && (
        // A path, so that the icon loads from the page's own host.
        <img
          src={toIconPath(iconUrl)}
          alt=""
          width={24}
          height={24}
          className="mt-0.5 size-6 shrink-0 rounded-[6px]"
        />
      )}
      <span className="min-w-0">
        {slug === null ? (
          <span className="line-clamp-2">{title}</span>
        ) : (
          <IntentLink
            href={`/markets/${slug}`}
            title={title}
            className="line-clamp-2 font-[550] hover:underline"
          >
            {title}
          </IntentLink>
        )}
        {children}
      </span>
    </span>
  );
}
