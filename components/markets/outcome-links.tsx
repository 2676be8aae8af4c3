import Link from "next/link";
import type { MouseEvent } from "react";
import { formatColumnPrice, formatPrice } from "@/components/format/numbers";
import { buildTicketHref } from "@/lib/domain/ticket/href";

interface Props {
  /** The market's name in URLs. */
  slug: string;
  /** The market's title, for screen readers. */
  title: string;
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string; ask: number | null }[];
  /** Whether the label begins with "Buy". */
  hasVerb?: boolean;
  /** The link of an outcome; without it, the ticket on the market's page. */
  hrefOf?: (tokenId: string) => string;
  /** Whether the links lead to this page, which then stays where it is. */
  isOnPage?: boolean;
  /** Whether it stands in a column of markets with different tick sizes. The tooltip has the exact price. */
  isInColumn?: boolean;
  /** Opens the ticket on the page. If it returns true, the link isn't followed. */
  onBuy?: (index: number) => boolean;
}

const TONES = [
  "bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))] text-up hover:bg-[color-mix(in_oklab,var(--up)_20%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--down)_12%,var(--surface))] text-down hover:bg-[color-mix(in_oklab,var(--down)_20%,var(--surface))]",
] as const;

/** An outcome that nobody offers. Its link leads to the ticket for a limit order. */
const NO_OFFERS = "border border-border bg-surface text-text-2 hover:bg-surface-2";

/** Links that buy an outcome, with its price. */
export function OutcomeLinks({
  slug,
  title,
  tickSize,
  outcomes,
  hasVerb = false,
  hrefOf = (tokenId) => buildTicketHref(slug, { token: tokenId, side: "buy" }),
  isOnPage = false,
  isInColumn = false,
  onBuy,
}: Props) {
  return (
    <div className="grid w-full grid-cols-2 gap-2">
      {outcomes.map(({ name, tokenId, ask }, index) => (
        <Link
          key={tokenId}
          data-quoted=""
          href={hrefOf(tokenId)}
          prefetch={false}
          scroll={!isOnPage}
          {...(onBuy && {
            onClick: (event: MouseEvent) => {
              if (isPlain(event) && onBuy(index)) event.preventDefault();
            },
          })}
          title={`${name} ${formatPrice(ask, tickSize)}`}
          aria-label={`${hasVerb ? "Buy " : ""}${name} ${formatPrice(ask, tickSize)}: ${title}`}
          className={`flex min-h-11 min-w-0 items-center justify-center rounded-control px-1.5 py-1 text-center leading-4 font-[550] forced-colors:border lg:min-h-8 ${ask === null ? NO_OFFERS : (TONES[index] ?? "")}`}
        >
          {/* A name that is too long for the line wraps, because half a name could be another team's. */}
          <span className="min-w-0 break-words">
            {hasVerb ? "Buy " : ""}
            {name}{" "}
            <span className="num ml-0.5 whitespace-nowrap">
              {ask === null
                ? "no offers"
                : isInColumn
                  ? formatColumnPrice(ask)
                  : formatPrice(ask, tickSize)}
            </span>
          </span>
        </Link>
      ))}
    </div>
  );
}

/** False for clicks that open another tab. */
const isPlain = (event: MouseEvent) => !event.metaKey && !event.ctrlKey && !event.shiftKey;
