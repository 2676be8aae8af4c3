import { formatCompactMoney, NOTHING } from "@/components/format/numbers";
import { TimeUntil } from "@/components/format/time-until";
import {
  Chance,
  Change,
  GroupTitle,
  MarketIcon,
  UntradableBadge,
} from "@/components/markets/market-parts";
import {
  isEvent,
  type MarketGroupWire,
  type MarketLineWire,
} from "@/components/markets/market-view";
import { OutcomeLinks } from "@/components/markets/outcome-links";
import { WatchStar } from "@/components/markets/watch-star";
import { Badge } from "@/components/ui/badge";

export interface MarketListProps {
  groups: readonly MarketGroupWire[];
  watchAction: (form: FormData) => Promise<void>;
  /** The URL of an event's list, without the event's slug at its end. */
  eventHref: string;
  /** When this was rendered, in milliseconds since the epoch. */
  now: number;
}

const HEAD = "h-9 px-3 text-caption whitespace-nowrap text-text-3";
const CELL = "px-3 md:h-11 md:py-1 md:in-data-[density=compact]:h-9";
const NUMBER = `${CELL} num md:text-right`;

/**
 * Events in rows, one line for each of their markets. Below 768 px each event is a card of the same
 * cells, so that the page has every value once. The roles keep the table's meaning there.
 */
export function MarketTable({ groups, ...list }: MarketListProps) {
  return (
    <table role="table" className="block w-full border-collapse text-left md:table md:table-fixed">
      <caption className="sr-only">Markets</caption>
      <colgroup>
        <col />
        <col className="w-48" />
        <col className="w-24" />
        <col className="w-60" />
        <col className="w-28" />
        <col className="w-32" />
      </colgroup>
      <thead role="rowgroup" className="bg-surface-2 max-md:sr-only">
        <tr role="row">
          <th role="columnheader" scope="col" className={HEAD}>
            Market
          </th>
          <th role="columnheader" scope="col" className={`${HEAD} text-right`}>
            Chance
          </th>
          <th role="columnheader" scope="col" className={`${HEAD} text-right`}>
            24 h
          </th>
          <th role="columnheader" scope="col" className={HEAD}>
            Buy
          </th>
          <th
            role="columnheader"
            scope="col"
            title="Value traded in the last 24 hours"
            className={`${HEAD} text-right`}
          >
            24 h volume
          </th>
          <th role="columnheader" scope="col" className={`${HEAD} text-right`}>
            Closes in
          </th>
        </tr>
      </thead>
      {groups.map((group) => (
        <Group key={group.eventSlug} group={group} {...list} />
      ))}
    </table>
  );
}

interface GroupProps extends Omit<MarketListProps, "groups"> {
  group: MarketGroupWire;
}

function Group({ group, watchAction, eventHref, now }: GroupProps) {
  const rows = group.markets.length;
  return (
    <tbody
      role="rowgroup"
      className="border-t border-border bg-surface hover:bg-surface-2 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-y-1.5 max-md:py-3"
    >
      {group.markets.map((line, index) => (
        <tr key={line.id} role="row" className="max-md:contents">
          {index === 0 && (
            <td role="cell" rowSpan={rows} className={`${CELL} max-md:col-span-2`}>
              <div className="flex items-center gap-3">
                <WatchStar
                  action={watchAction}
                  subject={{ event: group.eventSlug }}
                  title={group.title}
                  isWatched={group.isWatched}
                />
                <MarketIcon src={group.icon} size="small" />
                <GroupTitle group={group} eventHref={`${eventHref}${group.eventSlug}`} />
              </div>
            </td>
          )}
          <td role="cell" className={NUMBER}>
            <Chance line={line} hasLabel={isEvent(group)} />
          </td>
          <td role="cell" className={NUMBER}>
            <Change change={line.change} />
          </td>
          <td role="cell" className={`${CELL} max-md:col-span-2`}>
            <Buy line={line} />
          </td>
          {index === 0 && (
            <>
              <td
                role="cell"
                rowSpan={rows}
                className={`${NUMBER} max-md:order-1 max-md:text-small max-md:text-text-2 max-md:before:content-['24_h_volume_']`}
              >
                {formatCompactMoney(group.dayVolume)}
              </td>
              <td
                role="cell"
                rowSpan={rows}
                className={`${NUMBER} max-md:order-1 max-md:text-right max-md:text-small max-md:text-text-2`}
              >
                <Closes group={group} now={now} />
              </td>
            </>
          )}
        </tr>
      ))}
    </tbody>
  );
}

function Buy({ line }: { line: MarketLineWire }) {
  if (line.status === "open") return <OutcomeLinks {...line} />;
  return line.untradableReason !== null && <UntradableBadge reason={line.untradableReason} />;
}

export function Closes({ group, now }: { group: MarketGroupWire; now: number }) {
  if (group.status === "open") return <TimeUntil at={group.closesAt} now={now} />;
  if (group.untradableReason !== null && group.status === "closed") {
    return <TimeUntil at={group.closesAt} now={now} />;
  }
  if (group.status === "closed") return <Badge tone="warn">Awaiting result</Badge>;
  return NOTHING;
}
