import Link from "next/link";
import type { MouseEvent } from "react";
import { formatPrice } from "@/components/format/numbers";

interface Props {
  /** For those who hear the page: which market this buys. */
  title: string;
  tickSize: string;
  outcomes: readonly { name: string; tokenId: string; ask: number | null }[];
  /** Says "Buy" before the outcome's name. */
  hasVerb?: boolean;
  /** Buys on the page itself, if it can: then the link is not followed. */
  onBuy?: (index: number) => boolean;
}

const TONES = [
  "bg-[color-mix(in_oklab,var(--up)_12%,var(--surface))] text-up hover:bg-[color-mix(in_oklab,var(--up)_20%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--down)_12%,var(--surface))] text-down hover:bg-[color-mix(in_oklab,var(--down)_20%,var(--surface))]",
] as const;

/** What each outcome costs, as the way to buy it. */
export function OutcomeLinks({ title, tickSize, outcomes, hasVerb = false, onBuy }: Props) {
  return (
    <div className="grid w-full grid-cols-2 gap-2">
      {outcomes.map(({ name, tokenId, ask }, index) => (
        <Link
          key={tokenId}
          href={`/trade?token=${tokenId}`}
          prefetch={false}
          {...(onBuy && {
            onClick: (event: MouseEvent) => {
              if (isPlain(event) && onBuy(index)) event.preventDefault();
            },
          })}
          title={`${name} ${formatPrice(ask, tickSize)}`}
          className={`flex h-11 min-w-0 items-center justify-center gap-1.5 rounded-control px-2 font-[550] lg:h-8 ${TONES[index] ?? ""}`}
        >
          <span className="truncate">
            {hasVerb ? "Buy " : ""}
            {name}
          </span>
          <span className="num">{formatPrice(ask, tickSize)}</span>
          <span className="sr-only">: {title}</span>
        </Link>
      ))}
    </div>
  );
}

/** A click for another tab goes there. */
const isPlain = (event: MouseEvent) => !event.metaKey && !event.ctrlKey && !event.shiftKey;
