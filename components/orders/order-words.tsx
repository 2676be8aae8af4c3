import { iconPath } from "@/components/format/icon-path";
import { IntentLink } from "@/components/ui/intent-link";

interface SideProps {
  action: "BUY" | "SELL";
  /** The outcome's name: Yes, or a team's. */
  outcome: string;
}

/** Buy Yes, with a dot whose color says the same as the word. */
export function SideLabel({ action, outcome }: SideProps) {
  const isBuy = action === "BUY";
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-pill ${isBuy ? "bg-up" : "bg-down"}`}
      />
      <span>
        <span className="font-[550]">{isBuy ? "Buy" : "Sell"}</span> {outcome}
      </span>
    </span>
  );
}

interface MarketProps {
  title: string;
  slug: string;
  iconUrl: string;
}

/** A market's icon and title, leading to it. Long titles are cut; all of it is in the tooltip. */
export function MarketName({ title, slug, iconUrl }: MarketProps) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <img
        src={iconPath(iconUrl)}
        alt=""
        width={24}
        height={24}
        loading="lazy"
        className="size-6 shrink-0 rounded-control"
      />
      <IntentLink
        href={`/markets/${slug}`}
        title={title}
        className="line-clamp-2 min-w-0 hover:underline"
      >
        {title}
      </IntentLink>
    </span>
  );
}
