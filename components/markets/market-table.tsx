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
/** The look of cells that a card has below its markets. */
const FOOT = "max-lg:order-1 max-lg:text-small max-lg:text-text-2";
/** A phone with large text has no room for a neighbour. */
const NARROW = "max-[22rem]:col-span-full";
/** The look of columns that a narrower table leaves to the titles. Cards have them. */
const ROOMY = "lg:max-[87.5rem]:hidden";

/** The columns of a card on paper, the same for all events, and the title of a single market in the first. */
const PAPER =
  "print:grid-cols-[minmax(0,1fr)_4rem_5.5rem_5.5rem_16rem] print:gap-y-0 print:py-0.5 print:[&_a]:py-0";

/**
 * Events in rows, one line for each of their markets. Below 1024 px each event is a card of the same
 * cells, so that the page has every value once. The roles keep the table's meaning there.
 */
export function MarketTable({ groups, ...list }: MarketListProps) {
  // A list of results has no prices, so it has other columns.
  const isResolved = groups.every(({ status }) => status === "resolved");
  // "Awaiting result" is wider than a time.
  const isAnyClosed = groups.some(({ status }) => status === "closed");
  // Few paper markets have traded, and a figure that most rows lack can't be compared.
  const hasVolumes = groups.every(({ volume }) => volume !== null && volume > 0);
  return (
    <table role="table" className="block w-full border-collapse text-left lg:table lg:table-fixed">
      <caption className="sr-only">Markets</caption>
      <colgroup>
        <col />
        <col className="w-30 min-[87.5rem]:w-34" />
        {isResolved ? (
          <>
            <col className="w-61" />
            <col className="w-40" />
          </>
        ) : (
          <>
            <col className="w-18" />
            <col className={`w-21 ${ROOMY}`} />
            <col className="w-24" />
            <col className="w-66" />
            <col className={isAnyClosed ? "w-34" : "w-28"} />
          </>
        )}
      </colgroup>
      <Head isResolved={isResolved} />
      {groups.map((group) => (
        <Group
          key={group.eventSlug}
          group={group}
          isResolved={isResolved}
          hasVolumes={hasVolumes}
          {...list}
        />
      ))}
    </table>
  );
}

function Head({ isResolved }: { isResolved: boolean }) {
  return (
    <thead role="rowgroup" className="bg-surface-2 max-lg:sr-only">
      <tr role="row">
        <HeadCell>Market</HeadCell>
        <HeadCell>Outcome</HeadCell>
        {isResolved ? (
          <>
            <HeadCell>Result</HeadCell>
            <HeadCell className="text-right">Closed</HeadCell>
          </>
        ) : (
          <>
            <HeadCell className="text-right">Chance</HeadCell>
            <HeadCell
              title="The price of the last 7 days, or since the market opened"
              className={ROOMY}
            >
              7 d
            </HeadCell>
            <HeadCell className="text-right">24 h</HeadCell>
            <HeadCell>Buy</HeadCell>
            <HeadCell className="text-right">Closes</HeadCell>
          </>
        )}
      </tr>
    </thead>
  );
}

const LIQUIDITY_HINT = "The money of the orders in the book, and the volume where there is any";
const VOLUME_HINT = "The value of all trades, without fees";

function HeadCell({ className = "", ...rest }: ComponentProps<"th">) {
  return <th role="columnheader" scope="col" className={`${HEAD} ${className}`} {...rest} />;
}

interface GroupProps extends Omit<MarketListProps, "groups"> {
  group: MarketGroupWire;
  isResolved: boolean;
  /** Whether all rows show their volume. */
  hasVolumes: boolean;
}

function Group({ group, isResolved, hasVolumes, watchAction, eventHref, now, trails }: GroupProps) {
  const rows = group.markets.length;
  const hasLabels = isEvent(group);
  // Below its title, a single result and its time share a line.
  const isLine = isResolved && !hasLabels;
  return (
    <tbody
      role="rowgroup"
      className={`${isResolved ? "" : PAPER} break-inside-avoid border-t border-border bg-surface hover:bg-surface-2 max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto_auto_auto_auto] max-lg:items-center max-lg:gap-y-1 max-lg:py-2 max-sm:grid-cols-[minmax(0,1fr)_auto_auto]`}
    >
      {group.markets.map((line, index) => (
        <tr key={line.id} role="row" className="max-lg:contents">
          {index === 0 && (
            <th
              role="rowheader"
              scope="row"
              rowSpan={rows}
              colSpan={hasLabels ? 1 : 2}
              className={`${CELL} text-left font-normal max-lg:col-span-full ${hasLabels || isResolved ? "" : "print:col-span-1"}`}
            >
              <div className="-ml-3 flex items-center gap-2 lg:-ml-2">
                <WatchStar
                  action={watchAction}
                  subject={{ event: group.eventSlug }}
                  title={group.title}
                  isWatched={group.isWatched}
                />
                <MarketIcon src={group.icon} size="small" />
                <GroupTitle
                  group={group}
                  eventHref={`${eventHref}${group.eventSlug}`}
                  isDense={isLine}
                />
              </div>
            </th>
          )}
          {hasLabels && (
            <td role="cell" className={`${CELL} ${NARROW}`}>
              <LineLabel line={line} />
            </td>
          )}
          {!isResolved && <Prices line={line} hasLabels={hasLabels} trail={trails.get(line.id)} />}
          <td
            role="cell"
            className={`${CELL} ${isLine ? `max-lg:pr-0 max-lg:pl-23 ${NARROW}` : isResolved ? "max-lg:col-start-2 max-lg:-col-end-1" : `max-lg:-col-end-1 max-lg:pl-2 print:w-auto ${hasLabels ? "max-lg:w-48" : "max-lg:w-64"}`}`}
          >
            <Buy line={line} isResultOnly={isResolved} />
          </td>
          {index === 0 && (
            <td
              role="cell"
              rowSpan={rows}
              className={`${NUMBER} ${FOOT} ${isLine ? `max-lg:col-start-2 max-lg:-col-end-1 ${NARROW}` : "max-lg:col-span-full"}`}
            >
              <Foot group={group} isResolved={isResolved} hasVolume={hasVolumes} now={now} />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  );
}

interface PricesProps {
  line: MarketLineWire;
  hasLabels: boolean;
  trail: readonly number[] | undefined;
}

/**
 * The chance with its trail and its change, which a phone shows below the chance. A resolved market's payout takes
 * no part in a list of chances.
 */
function Prices({ line, hasLabels, trail }: PricesProps) {
  const isResolved = line.status === "resolved";
  return (
    <>
      <td
        role="cell"
        className={`${NUMBER} print:text-right ${hasLabels ? "max-lg:px-0 max-lg:text-right" : ""}`}
      >
        {!isResolved && <Chance line={line} isLarge={!hasLabels} />}
        <span className="block leading-4 max-[22rem]:hidden sm:hidden">
          <LineChange line={line} />
        </span>
      </td>
      <td role="cell" className={`${CELL} ${ROOMY} max-lg:pr-0 max-sm:hidden`}>
        <Trend line={line} trail={trail} />
      </td>
      <td role="cell" className={`${NUMBER} max-lg:text-right max-sm:hidden`}>
        <LineChange line={line} />
      </td>
    </>
  );
}

interface FootProps {
  group: MarketGroupWire;
  isResolved: boolean;
  hasVolume: boolean;
  now: number;
}

/** The close, with the liquidity and the volume of an event's markets: below it in a column, before it in a card. */
function Foot({ group, isResolved, hasVolume, now }: FootProps) {
  const { liquidity, volume } = group;
  return (
    <div className="flex flex-wrap-reverse justify-between gap-x-3 max-lg:whitespace-nowrap lg:flex-col-reverse lg:flex-nowrap">
      <span className="lg:text-small lg:text-text-2">
        {!isResolved && liquidity !== null && (
          <span title={LIQUIDITY_HINT} className="lg:block">
            <span className="lg:sr-only">Liquidity </span>
            <span aria-hidden="true" className="max-lg:hidden">
              Liq.{" "}
            </span>
            {formatShortMoney(liquidity)}
          </span>
        )}
        {hasVolume && <Volume usdc={volume} />}
      </span>
      <span className="max-lg:ml-auto">
        <span className={isResolved ? "max-lg:sr-only" : ""}>
          <ClosesWord group={group} isWide={false} />
        </span>
        <Closes group={group} now={now} />
      </span>
    </div>
  );
}

/** A volume under another figure. Paper markets seldom have one, so it has no column. */
function Volume({ usdc }: { usdc: number | null }) {
  return (
    <span title={VOLUME_HINT} className="whitespace-nowrap max-lg:ml-2 lg:block">
      Vol. {formatShortMoney(usdc)}
    </span>
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

interface BuyProps {
  line: MarketLineWire;
  /** Whether the list has resolved markets only, so that it shows the result alone. */
  isResultOnly?: boolean;
}

/** The prices to buy, or why there are none. */
export function Buy({ line, isResultOnly = false }: BuyProps) {
  if (line.status === "resolved") {
    return <ResolvedBadge winner={line.winner} isResultOnly={isResultOnly} />;
  }
  if (line.status === "open") return <OutcomeLinks {...line} isInColumn />;
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
