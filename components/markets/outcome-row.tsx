import { Probability, Shares } from "@/components/format/values";
import { LineChange, ResolvedBadge, UntradableBadge } from "@/components/markets/market-parts";
import type { MarketLineWire } from "@/components/markets/market-view";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { Badge } from "@/components/ui/badge";
import { IntentLink } from "@/components/ui/intent-link";
import type { PositionWire } from "@/lib/browser/use-positions";

interface Props {
  line: MarketLineWire;
  /** The account's positions in any markets; null if they are unknown. */
  positions: readonly Pick<PositionWire, "conditionId" | "outcome" | "shares">[] | null;
  /** The link of the market's page, whose ticket an outcome's token fills. */
  hrefOf: (choice: { token?: string; side?: "buy" }) => string;
  /** Whether the links lead to this page, which then stays where it is. */
  isOnPage?: boolean;
  isCurrent?: boolean;
}

/**
 * A market of an event in one line: its label, the account's shares, chance and prices. A result replaces the chance.
 * Where a page is enlarged, the prices have a line of their own, so that the label can be read.
 */
export function OutcomeRow({
  line,
  positions,
  hrefOf,
  isOnPage = false,
  isCurrent = false,
}: Props) {
  const label = line.label ?? line.title;
  const held = positions?.filter(({ conditionId }) => conditionId === line.id) ?? [];
  const isResolved = line.status === "resolved";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_5ch_10.5rem] items-center gap-x-2 border-t border-border px-3 py-1 max-[22.5rem]:grid-cols-[minmax(0,1fr)_5ch] has-aria-[current]:bg-surface-2 sm:grid-cols-[minmax(0,1fr)_5ch_9ch_13.125rem] sm:gap-x-3 sm:px-4 lg:grid-cols-[minmax(0,1fr)_5rem_5ch_9ch_13.125rem] forced-colors:has-aria-[current]:outline-2 forced-colors:has-aria-[current]:-outline-offset-2">
      <div>
        <IntentLink
          href={hrefOf({})}
          scroll={!isOnPage}
          aria-current={isCurrent ? "true" : undefined}
          className={`line-clamp-2 wrap-anywhere font-[550] hover:underline max-lg:py-3 ${held.length > 0 ? "lg:pt-1" : "lg:py-1"}`}
        >
          {label}
        </IntentLink>
        {held.map(({ outcome, shares }) => (
          <p key={outcome} className="text-small text-text-2 max-lg:-mt-2 max-lg:pb-2">
            You hold <Shares shares={shares} /> {outcome}
          </p>
        ))}
      </div>
      {!isResolved && (
        <>
          <ChanceBar chance={line.chance} />
          <span className="text-right font-[550]">
            <Probability price={line.chance} />
          </span>
          <span className="text-right max-sm:hidden">
            <LineChange line={line} />
          </span>
        </>
      )}
      <div className="-col-end-1 max-[22.5rem]:col-span-full">
        {line.status === "open" && (
          <OutcomeLinks
            {...line}
            hrefOf={(tokenId) => hrefOf({ token: tokenId, side: "buy" })}
            isOnPage={isOnPage}
          />
        )}
        {isResolved && <ResolvedBadge winner={line.winner} />}
        {line.status === "closed" &&
          (line.untradableReason === null ? (
            <Badge tone="warn">Awaiting result</Badge>
          ) : (
            <UntradableBadge reason={line.untradableReason} />
          ))}
      </div>
    </li>
  );
}

function ChanceBar({ chance }: { chance: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="h-1.5 w-full rounded-pill max-lg:hidden"
    >
      <rect width="100" height="6" className="fill-surface-3" />
      <rect width={chance * 100} height="6" className="fill-series-1" />
    </svg>
  );
}
