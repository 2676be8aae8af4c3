import { showPositions } from "@/app/(dashboard)/_positions/show-positions";
import { watchAction } from "@/app/(dashboard)/markets/actions";
import { EventPrices } from "@/app/(dashboard)/markets/event-prices";
import type { LoadedEvent } from "@/app/(dashboard)/markets/load-event";
import { PageAge } from "@/app/(dashboard)/markets/page-age";
import { MOST_SERIES } from "@/components/charts/event-chart";
import { RANGES } from "@/components/charts/ranges";
import { formatShortMoney } from "@/components/format/numbers";
import { ClosesIn } from "@/components/format/time-until";
import { MarketIcon } from "@/components/markets/market-parts";
import type { MarketGroupWire } from "@/components/markets/market-view";
import { OutcomeRow } from "@/components/markets/outcome-row";
import { WatchStar } from "@/components/markets/watch-star";
import { OutageNote } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import { buildTicketHref } from "@/lib/domain/ticket/href";
import { getDataTime } from "@/lib/stale-reads";

interface Props {
  loaded: LoadedEvent;
  /** The chart's period, from the URL. */
  range: string | undefined;
}

/** An event with all its markets, likeliest first, and the chances of the likeliest over time. */
export async function EventView({ loaded: { principal, group, outage }, range }: Props) {
  const positions = await showPositions(principal);
  const chosen = RANGES.find((one) => one.range === range) ?? RANGES[4];
  return (
    <>
      <PageHeader
        title={
          <span className="flex items-center gap-3">
            <MarketIcon src={group.icon} size="large" />
            {group.title}
          </span>
        }
        description={<Facts group={group} />}
        actions={
          <>
            <PageAge at={getDataTime(outage)} />
            <WatchStar
              action={watchAction}
              subject={{ event: group.eventSlug }}
              title={group.title}
              isWatched={group.isWatched}
            />
            <ButtonLink href="/markets">All markets</ButtonLink>
          </>
        }
      />
      {outage && <OutageNote outage={outage} />}
      <div className="flex flex-col gap-4">
        <section aria-labelledby="outcomes" className="card min-w-0 overflow-hidden">
          <h2 id="outcomes" className="px-3 pt-2.5 pb-1.5 font-[550] sm:px-4">
            Outcomes
          </h2>
          <ul>
            {group.markets.map((line) => (
              <OutcomeRow
                key={line.id}
                line={line}
                positions={positions}
                hrefOf={({ token, side }) =>
                  token === undefined || side === undefined
                    ? `/markets/${line.slug}`
                    : buildTicketHref(line.slug, { token, side })
                }
              />
            ))}
          </ul>
        </section>
        <section aria-labelledby="chances" className="card min-w-0 p-3 sm:p-4">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
            <h2 id="chances" className="text-heading">
              Chances
              {group.markets.length > MOST_SERIES && (
                <span className="ml-2 text-small font-normal text-text-2">
                  Top {MOST_SERIES} of {group.markets.length}
                </span>
              )}
            </h2>
            <Tabs
              label="Period"
              items={RANGES.map((one) => ({
                href: `/markets?${new URLSearchParams({ event: group.eventSlug, range: one.range })}`,
                label: one.label,
                isCurrent: one.range === chosen.range,
              }))}
            />
          </div>
          <EventPrices
            principal={principal}
            lines={group.markets}
            current={null}
            range={chosen}
            end={group.status === "open" ? Date.now() : null}
          />
        </section>
      </div>
    </>
  );
}

/** The facts of an event. Gaps divide them, because a line of a phone must not end with a separator. */
function Facts({ group }: { group: MarketGroupWire }) {
  const { length } = group.markets;
  return (
    <span className="flex flex-wrap gap-x-3">
      <span>
        {length} {length === 1 ? "outcome" : "outcomes"}
      </span>
      <span className="capitalize">{group.category}</span>
      <span>
        {group.status === "open" ? "Closes" : "Closed"}{" "}
        <ClosesIn at={group.closesAt} now={Date.now()} />
      </span>
      {group.status === "open" && group.liquidity !== null && (
        <span>Liquidity {formatShortMoney(group.liquidity)}</span>
      )}
      {group.volume !== null && group.volume > 0 && (
        <span>Volume {formatShortMoney(group.volume)}</span>
      )}
    </span>
  );
}
