import type { ComponentProps } from "react";
import { Sparkline } from "@/components/charts/sparkline";
import { formatShortMoney } from "@/components/format/numbers";
import { TimeUntil } from "@/components/format/time-until";
import { Probability } from "@/components/format/values";
import {
  Chance,
  LineChange,
  GroupTitle,
  LineLabel,
  MarketIcon,
  ResolvedBadge,
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
  /** Prices of the first outcomes over the last week, oldest first, by market id. */
  trails: ReadonlyMap<string, readonly number[]>;
  /** When this was rendered, in milliseconds since the epoch. */
  now: number;
}

const HEAD = "h-9 px-3 text-caption whitespace-nowrap text-text-3";
const CELL = "px-3 lg:h-11 lg:py-1 lg:in-data-[density=compact]:h-9";
const NUMBER = `${CELL} num lg:text-right`;
/** The look of columns that a narrower table leaves to the titles. Cards have them. */
const ROOMY = "lg:max-[87.5rem]:hidden";

/**
 * Events in rows, one line for each of their markets. Below 1024 px each event is a card of the same
 * cells, so that the page has every value once. The roles keep the table's meaning there.
 */
export function MarketTable({ groups, ...list }: MarketListProps) {
  return (
    <table role="table" className="block w-full border-collapse text-left lg:table lg:table-fixed">
      <caption className="sr-only">Markets</caption>
      <colgroup>
        <col />
        <col className="w-36" />
        <col className="w-18" />
        <col className={`w-21 ${ROOMY}`} />
        <col className="w-22" />
        <col className="w-61" />
        <col className={`w-24 ${ROOMY}`} />
        <col className="w-30" />
      </colgroup>
      <Head />
      {groups.map((group) => (
        <Group key={group.eventSlug} group={group} {...list} />
      ))}
    </table>
  );
}

function Head() {
  return (
    <thead role="rowgroup" className="bg-surface-2 max-lg:sr-only">
      <tr role="row">
        <HeadCell>Market</HeadCell>
        <HeadCell>Outcome</HeadCell>
        <HeadCell className="text-right">Chance</HeadCell>
        <HeadCell
          title="The price of the last 7 days, or since the market opened"
          className={ROOMY}
        >
          7 d
        </HeadCell>
        <HeadCell className="text-right">24 h</HeadCell>
        <HeadCell>Buy</HeadCell>
        <HeadCell
          title="The money of the orders in the book, and what traded in 24 hours"
          className={`text-right ${ROOMY}`}
        >
          Liquidity
        </HeadCell>
        <HeadCell className="text-right">Closes</HeadCell>
      </tr>
    </thead>
  );
}

function HeadCell({ className = "", ...rest }: ComponentProps<"th">) {
  return <th role="columnheader" scope="col" className={`${HEAD} ${className}`} {...rest} />;
}

interface GroupProps extends Omit<MarketListProps, "groups"> {
  group: MarketGroupWire;
}

function Group({ group, watchAction, eventHref, now, trails }: GroupProps) {
  const rows = group.markets.length;
  const hasLabels = isEvent(group);
  return (
    <tbody
      role="rowgroup"
      className="border-t border-border bg-surface hover:bg-surface-2 max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto_auto_auto] max-lg:items-center max-lg:gap-y-1 max-lg:py-2"
    >
      {group.markets.map((line, index) => (
        <tr key={line.id} role="row" className="max-lg:contents">
          {index === 0 && (
            <th
              role="rowheader"
              scope="row"
              rowSpan={rows}
              colSpan={hasLabels ? 1 : 2}
              className={`${CELL} text-left font-normal max-lg:col-span-4`}
            >
              <div className="-ml-3 flex items-center gap-2 lg:-ml-2">
                <WatchStar
                  action={watchAction}
                  subject={{ event: group.eventSlug }}
                  title={group.title}
                  isWatched={group.isWatched}
                />
                <MarketIcon src={group.icon} size="small" />
                <GroupTitle group={group} eventHref={`${eventHref}${group.eventSlug}`} />
              </div>
            </th>
          )}
          {hasLabels && (
            <td role="cell" className={CELL}>
              <LineLabel line={line} />
            </td>
          )}
          <td role="cell" className={`${NUMBER} ${hasLabels ? "max-lg:px-0" : ""}`}>
            <Chance line={line} isLarge={!hasLabels} />
          </td>
          <td
            role="cell"
            className={`${CELL} ${ROOMY} max-lg:pr-0 ${hasLabels ? "" : "max-lg:col-start-3"}`}
          >
            <Trend line={line} trail={trails.get(line.id)} />
          </td>
          <td role="cell" className={`${NUMBER} max-lg:text-right`}>
            <LineChange line={line} />
          </td>
          <td role="cell" className={`${CELL} max-lg:col-span-4`}>
            <Buy line={line} />
          </td>
          {index === 0 && (
            <>
              <td
                role="cell"
                rowSpan={rows}
                className={`${NUMBER} ${ROOMY} max-lg:order-1 max-lg:col-span-2 max-lg:text-small max-lg:text-text-2 max-lg:before:content-['Liquidity_']`}
              >
                <Liquidity group={group} />
              </td>
              <td
                role="cell"
                rowSpan={rows}
                className={`${NUMBER} max-lg:order-1 max-lg:col-span-2 max-lg:text-right max-lg:text-small max-lg:text-text-2`}
              >
                <ClosesWord group={group} isWide={false} />
                <Closes group={group} now={now} />
              </td>
            </>
          )}
        </tr>
      ))}
    </tbody>
  );
}

/** Shows the money of all resting orders, and below it the volume of the last 24 hours, unless it is zero. */
function Liquidity({ group: { liquidity, dayVolume } }: { group: MarketGroupWire }) {
  return (
    <>
      {formatShortMoney(liquidity)}
      {dayVolume !== null && dayVolume > 0 && (
        <span className="text-small text-text-2 max-lg:before:content-['_·_'] lg:block">
          24 h {formatShortMoney(dayVolume)}
        </span>
      )}
    </>
  );
}

/** The price of the last week, or since the market opened. The chance beside it ends the line. */
function Trend({
  line,
  trail = [],
}: {
  line: MarketLineWire;
  trail: readonly number[] | undefined;
}) {
  if (line.status !== "open" || trail.length === 0) return null;
  return (
    <>
      <Sparkline prices={[...trail, line.chance]} />
      <span className="sr-only">
        From <Probability price={trail[0] ?? null} />
      </span>
    </>
  );
}

/** The prices to buy, or why there are none. */
export function Buy({ line }: { line: MarketLineWire }) {
  if (line.status === "resolved") return <ResolvedBadge winner={line.winner} />;
  if (line.status === "open") return <OutcomeLinks {...line} />;
  return line.untradableReason !== null && <UntradableBadge reason={line.untradableReason} />;
}

/** The word before the time, where no column head says it. */
export function ClosesWord({ group, isWide }: { group: MarketGroupWire; isWide: boolean }) {
  if (group.status === "closed") return null;
  return (
    <span className={isWide ? "" : "lg:hidden"}>
      {group.status === "resolved" ? (
        "Closed "
      ) : (
        <>
          Closes{" "}
          <span aria-hidden="true" className="print:hidden">
            in{" "}
          </span>
        </>
      )}
    </span>
  );
}

export function Closes({ group, now }: { group: MarketGroupWire; now: number }) {
  if (group.status === "closed" && group.untradableReason === null) {
    return <Badge tone="warn">Awaiting result</Badge>;
  }
  return <TimeUntil at={group.closesAt} now={now} />;
}
