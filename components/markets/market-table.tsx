import type { ReactNode } from "react";
import { formatPrice, NOTHING } from "@/components/format/numbers";
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
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";

export interface MarketListProps {
  groups: readonly MarketGroupWire[];
  watchAction: (form: FormData) => Promise<void>;
  /** The URL of an event's list, without the event's slug at its end. */
  eventHref: string;
  /** When this was rendered, in milliseconds since the epoch. */
  now: number;
}

/** Events in rows. A cell of an event stacks the values of its markets. */
export function MarketTable({ groups, watchAction, eventHref, now }: MarketListProps) {
  return (
    <Table
      caption="Markets"
      hasCards
      head={
        <tr>
          <HeadCell>Market</HeadCell>
          <HeadCell isNumeric>Chance</HeadCell>
          <HeadCell isNumeric>24 h</HeadCell>
          <HeadCell>Buy</HeadCell>
          <HeadCell isNumeric>Spread</HeadCell>
          <HeadCell isNumeric>Closes in</HeadCell>
        </tr>
      }
    >
      {groups.map((group) => (
        <Row key={group.eventSlug}>
          <Cell>
            <div className="flex min-w-[260px] items-center gap-3">
              <WatchStar
                action={watchAction}
                subject={{ event: group.eventSlug }}
                title={group.title}
                isWatched={group.isWatched}
              />
              <MarketIcon src={group.icon} size="small" />
              <GroupTitle group={group} eventHref={`${eventHref}${group.eventSlug}`} />
            </div>
          </Cell>
          <Cell isNumeric>
            <Lines group={group}>
              {(line) => <Chance line={line} hasLabel={isEvent(group)} />}
            </Lines>
          </Cell>
          <Cell isNumeric>
            <Lines group={group}>{(line) => <Change change={line.change} />}</Lines>
          </Cell>
          <Cell>
            <Lines group={group}>
              {(line) =>
                line.status === "open" ? (
                  <span className="flex w-[230px]">
                    <OutcomeLinks {...line} />
                  </span>
                ) : (
                  line.untradableReason !== null && (
                    <UntradableBadge reason={line.untradableReason} />
                  )
                )
              }
            </Lines>
          </Cell>
          <Cell isNumeric>
            <Lines group={group}>{(line) => formatPrice(line.spread, line.tickSize)}</Lines>
          </Cell>
          <Cell isNumeric>
            <Closes group={group} now={now} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

interface LinesProps {
  group: MarketGroupWire;
  children: (line: MarketLineWire) => ReactNode;
}

function Lines({ group, children }: LinesProps) {
  return group.markets.map((line) => (
    <div
      key={line.id}
      className="flex min-h-11 max-w-[240px] items-center in-[.num]:justify-end lg:min-h-9"
    >
      {children(line)}
    </div>
  ));
}

export function Closes({ group, now }: { group: MarketGroupWire; now: number }) {
  if (group.status === "open") return <TimeUntil at={group.closesAt} now={now} />;
  if (group.untradableReason !== null && group.status === "closed") {
    return <TimeUntil at={group.closesAt} now={now} />;
  }
  if (group.status === "closed") return <Badge tone="warn">Awaiting result</Badge>;
  return NOTHING;
}
