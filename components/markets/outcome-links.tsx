import Link from "next/link";
import type { MouseEvent } from "react";
import { formatOrderPrice } from "@/components/format/numbers";
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
  /** Whether it stands in a narrow column, which shortens long names. The tooltip has the whole name. */
  isInColumn?: boolean;
  /** Opens the ticket on the page. If it returns true, the link isn't followed. */
  onBuy?: (index: number) => boolean;
}

/** The look of a price that isn't offered. The ticket still takes a limit order. */
const NO_OFFER = "bg-surface-2 text-text-2 hover:bg-surface-3";
const TONES = [
  "bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))] text-up hover:bg-[color-mix(in_oklab,var(--up)_20%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--down)_12%,var(--surface))] text-down hover:bg-[color-mix(in_oklab,var(--down)_20%,var(--surface))]",
] as const;

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
          title={`${name}${ask === null ? ":" : ""} ${describeAsk(ask, tickSize)}`}
          aria-label={`${hasVerb ? "Buy " : ""}${name} ${describeAsk(ask, tickSize)}: ${title}`}
          className={`flex min-h-11 min-w-0 items-center justify-center rounded-control px-1 py-1 text-center leading-4 font-[550] forced-colors:border lg:min-h-8 ${ask === null ? NO_OFFER : (TONES[index] ?? "")} ${isInColumn && ask !== null ? "gap-x-1" : "flex-wrap gap-x-1.5"}`}
        >
          <span
            className={`min-w-0 ${isInColumn ? `truncate ${name.length > COLUMN_NAME ? "text-small" : ""}` : "break-words"}`}
          >
            {hasVerb ? "Buy " : ""}
            {isInColumn ? shortenName(name, outcomes) : name}
          </span>
          <span
            className={`num shrink-0 whitespace-nowrap ${isInColumn && name.length > COLUMN_NAME ? "text-small" : ""}`}
          >
            {ask === null ? (
              <span className="text-caption">No offers</span>
            ) : (
              formatOrderPrice(ask, tickSize)
            )}
          </span>
        </Link>
      ))}
    </div>
  );
}

const describeAsk = (ask: number | null, tickSize: string) =>
  ask === null ? "no offers" : formatOrderPrice(ask, tickSize);

/** The longest name that fits a column beside its price. */
const COLUMN_NAME = 9;

/** Shortens a long name to its first word, if no other outcome's begins with it. Tooltip and title have all of it. */
export function shortenName(name: string, outcomes: readonly { name: string }[]): string {
  const [first = name] = name.split(" ");
  const hasTwin = outcomes.some(
    (other) => other.name !== name && other.name.split(" ")[0] === first,
  );
  return name.length <= COLUMN_NAME || hasTwin ? name : first;
}

/** False for clicks that open another tab. */
const isPlain = (event: MouseEvent) => !event.metaKey && !event.ctrlKey && !event.shiftKey;
