import { MarketIcon } from "@/components/portfolio/market-line";
import { IntentLink } from "@/components/ui/intent-link";

interface Props {
  title: string;
  slug: string | null;
  iconUrl: string | null;
}

/** A market's icon and title, linked to its page if it has one. */
export function MarketLabel({ title, slug, iconUrl }: Props) {
  return (
    <span className="flex min-w-0 items-start gap-2.5">
      <span className="mt-0.5 shrink-0">
        <MarketIcon iconUrl={iconUrl} />
      </span>
      <span className="min-w-0">
        {slug === null ? (
          <span className="line-clamp-2">{title}</span>
        ) : (
          <IntentLink
            href={`/markets/${slug}`}
            title={title}
            className="line-clamp-2 hover:underline"
          >
            {title}
          </IntentLink>
        )}
      </span>
    </span>
  );
}
