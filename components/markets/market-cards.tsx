import { formatShortMoney } from "@/components/format/numbers";
import {
  Chance,
  LineChange,
  GroupTitle,
  LineLabel,
  MarketIcon,
} from "@/components/markets/market-parts";
import { Buy, Closes, ClosesWord, type MarketListProps } from "@/components/markets/market-table";
import { isEvent, type MarketGroupWire } from "@/components/markets/market-view";
import { WatchStar } from "@/components/markets/watch-star";

/** Events as cards, if the user chose them. */
export function MarketCards({
  groups,
  watchAction,
  eventHref,
  now,
}: Omit<MarketListProps, "trails">) {
  return (
    <ul aria-label="Markets" className="grid gap-px bg-border sm:grid-cols-2 xl:grid-cols-3">
      {groups.map((group) => (
        <li key={group.eventSlug} className="flex min-w-0 flex-col gap-3 bg-surface p-3 sm:p-4">
          <div className="flex items-start gap-3">
            <MarketIcon src={group.icon} size="large" />
            <div className="min-w-0 flex-1">
              <GroupTitle group={group} eventHref={`${eventHref}${group.eventSlug}`} />
            </div>
            <div className="-mt-1 -mr-2">
              <WatchStar
                action={watchAction}
                subject={{ event: group.eventSlug }}
                title={group.title}
                isWatched={group.isWatched}
              />
            </div>
          </div>
          <Prices group={group} />
          <p className="mt-auto flex flex-wrap justify-between gap-x-3 text-small text-text-2">
            <span>
              <ClosesWord group={group} isWide />
              <Closes group={group} now={now} />
            </span>
            {group.liquidity !== null && (
              <span>
                Liquidity <span className="num">{formatShortMoney(group.liquidity)}</span>
              </span>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Prices({ group }: { group: MarketGroupWire }) {
  const hasLabel = isEvent(group);
  return group.markets.map((line) => (
    <div key={line.id} className="flex flex-col gap-1.5">
      <div className="flex min-w-0 items-baseline justify-between gap-3">
        {hasLabel && <LineLabel line={line} />}
        <span className={hasLabel ? "ml-auto" : ""}>
          <Chance line={line} isLarge={!hasLabel} />
        </span>
        <LineChange line={line} />
      </div>
      <Buy line={line} />
    </div>
  ));
}
