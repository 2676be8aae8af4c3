import type { Metadata } from "next";
import { z } from "zod";
import { getDisplay } from "@/app/_lib/display-settings";
import { readAccountFigures } from "@/app/_lib/read-account-figures";
import { requireSession } from "@/app/_lib/require-session";
import { claimAction, claimAllAction } from "@/app/(dashboard)/_positions/actions";
import { ClosedTab } from "@/app/(dashboard)/_positions/closed-tab";
import { UNKNOWN_TICK } from "@/app/(dashboard)/_positions/position-parts";
import { MergeReceipt } from "@/app/(dashboard)/_positions/merge-receipt";
import { MergeablePairs } from "@/app/(dashboard)/_positions/mergeable-pairs";
import { PositionsPanel } from "@/app/(dashboard)/_positions/positions-panel";
import {
  OpenTransactions,
  readOpenTransactions,
} from "@/app/(dashboard)/_wallet/open-transactions";
import { watchAction } from "@/app/(dashboard)/markets/actions";
import { MarketCards } from "@/components/markets/market-cards";
import { modeTitle } from "@/components/shell/mode-badge";
import { formatUpdated } from "@/components/format/times";
import { FirstRun, type SampleMarket } from "@/components/portfolio/first-run";
import { PortfolioHero } from "@/components/portfolio/portfolio-hero";
import { PortfolioTabs } from "@/components/portfolio/portfolio-tabs";
import {
  buildClosedHref,
  buildPositionViewHref,
  parsePositionView,
} from "@/components/portfolio/position-view";
import {
  RedemptionCallout,
  RedemptionTotalCallout,
} from "@/components/portfolio/redemption-callout";
import { RefreshOnAccountChange } from "@/components/system/refresh-on-account-change";
import { OutageNote, OutageCard } from "@/components/system/venue-outage";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/states";
import { listKeys } from "@/lib/auth/list-keys";
import type { Principal } from "@/lib/auth/principal";
import { Portfolio } from "@/lib/schemas/account";
import { AccountSummary } from "@/lib/schemas/dashboard";
import {
  ClosedTotals,
  EquityCurve,
  EquityRange,
  RedemptionReceipt,
  RedemptionTotal,
} from "@/lib/schemas/portfolio";
import { MarketBrowse } from "@/lib/schemas/market-pages";
import { listPopularMarkets } from "@/lib/markets/browse-markets";
import { getTickSizes } from "@/lib/markets/get-market";
import { getPriceTrails } from "@/lib/markets/price-trails";
import { findRedemption, findRedemptionsSince } from "@/lib/portfolio/find-redemption";
import { getEquityCurve } from "@/lib/portfolio/get-equity-curve";
import { readClosedTotals } from "@/lib/portfolio/list-closed-positions";
import { readOptional } from "@/lib/optional-read";
import { getDataTime, mergeOutages, withStaleReads } from "@/lib/stale-reads";
import { explainNoRelay } from "@/lib/wallet-transactions/require-relay";

/** A layout's title template doesn't apply to the page in the same folder. */
export async function generateMetadata(): Promise<Metadata> {
  const { principal } = await requireSession();
  return { title: { absolute: `Portfolio · Ante ${modeTitle(principal.mode)}` } };
}

export default async function PortfolioPage({ searchParams }: PageProps<"/">) {
  const { principal } = await requireSession();
  const query = await searchParams;
  const range = EquityRange.catch("1d").parse(query["range"]);
  const view = parsePositionView(query);
  const isClosedTab = query["tab"] === "closed";
  const { cursor } = query;
  const merged = typeof query["merged"] === "string" ? query["merged"] : undefined;
  const [read, transactions, curve, closed] = await Promise.all([
    readAccount(principal),
    readOpenTransactions(principal),
    withStaleReads(() => getEquityCurve(principal, range)),
    readClosedTotals(principal),
  ]);
  const account = read.isKnown ? read.value : null;
  const age = { at: getDataTime(read.outage), isMarked: read.outage !== null };
  const summary = account && { data: account.figures, ...age };
  const isNew = account?.portfolio.positions.length === 0 && closed?.count === 0;
  const links = { closed: closed?.count ?? null, view, range };
  const actions = principal.mode === "paper" || (await explainNoRelay(principal.userId)) === null;
  return (
    <>
      <PortfolioHero
        summary={summary}
        curve={curve.isKnown && curve.value && !isNew ? z.encode(EquityCurve, curve.value) : null}
        buildRangeHref={(to) =>
          isClosedTab ? buildClosedHref(to) : buildPositionViewHref(view, to)
        }
      />
      <RefreshOnAccountChange />
      <OpenTransactions transactions={transactions} />
      <WithoutScript now={Date.now()} />
      {account && read.outage && <OutageNote outage={read.outage} />}
      <Receipt principal={principal} claimed={query["claimed"]} since={query["claimedSince"]} />
      {merged !== undefined && <MergeReceipt principal={principal} id={merged} />}
      {!read.isKnown && <OutageCard outage={read.outage} what="Positions and value" />}
      {!isClosedTab && <MergeablePairs principal={principal} merged={merged} />}
      {isClosedTab && (
        <>
          <PortfolioTabs
            current="closed"
            positions={account?.portfolio.positions.length ?? null}
            openOrders={account?.figures.openOrders ?? null}
            waitingOrders={account?.figures.waitingOrders ?? 0}
            {...links}
          />
          <ClosedTab
            principal={principal}
            totals={closed && z.encode(ClosedTotals, closed)}
            cursor={typeof cursor === "string" ? cursor : undefined}
            range={range}
          />
        </>
      )}
      {account && summary && !isClosedTab && (
        <PositionsPanel
          initial={{ data: account.portfolio, ...age }}
          summary={summary}
          details={account.details}
          claim={actions ? claimAction : null}
          claimAll={actions ? claimAllAction : null}
          claiming={transactions.flatMap(({ kind, marketId }) =>
            kind === "redeem" && marketId !== null ? [marketId] : [],
          )}
          empty={
            isNew ? (
              <NewAccount principal={principal} figures={account.figures} />
            ) : (
              <EmptyState action={<ButtonLink href="/markets">Browse markets</ButtonLink>}>
                No open positions.
              </EmptyState>
            )
          }
          {...links}
        />
      )}
    </>
  );
}

/** Reads the account, with stale data during a venue outage. */
async function readAccount(principal: Principal) {
  const figures = await readAccountFigures(principal);
  if (!figures.isKnown) return figures;
  const { portfolio, summary } = figures.value;
  const { positions } = portfolio;
  const details = await withStaleReads(async () => {
    const ids = positions.map(({ conditionId }) => conditionId);
    const ticks = await getTickSizes(principal, ids);
    const trails = await readOptional("price trails not read", [], () =>
      getPriceTrails(principal, positions),
    );
    return positions.map(({ conditionId }, index) => ({
      tick: ticks[conditionId] ?? UNKNOWN_TICK,
      trail: trails[index] ?? [],
    }));
  });
  if (!details.isKnown) return details;
  return {
    isKnown: true as const,
    outage: mergeOutages(figures.outage, details.outage),
    value: {
      portfolio: z.encode(Portfolio, portfolio),
      figures: z.encode(AccountSummary, summary),
      details: details.value,
    },
  };
}

interface ReceiptProps {
  principal: Principal;
  /** The position that was claimed. */
  claimed: string | string[] | undefined;
  /** When everything was claimed, in milliseconds since the epoch. */
  since: string | string[] | undefined;
}

/** The payout of a claim, from the ledger. */
async function Receipt({ principal, claimed, since }: ReceiptProps) {
  if (typeof claimed === "string") {
    const one = await withStaleReads(() => findRedemption(principal, claimed));
    if (one.isKnown && one.value) {
      return <RedemptionCallout receipt={z.encode(RedemptionReceipt, one.value)} />;
    }
  }
  const startedAt = z.coerce.number().pipe(z.int().min(0).max(8.64e15)).safeParse(since);
  if (!startedAt.success) return null;
  const total = await findRedemptionsSince(principal, new Date(startedAt.data));
  return total && <RedemptionTotalCallout total={z.encode(RedemptionTotal, total)} />;
}

interface NewAccountProps {
  principal: Principal;
  figures: z.input<typeof AccountSummary>;
}

async function NewAccount({ principal, figures }: NewAccountProps) {
  const [{ active }, samples] = await Promise.all([
    listKeys(principal.userId),
    readOptional("sample markets not read", NO_SAMPLES, () => findSamples(principal)),
  ]);
  return (
    <>
      <FirstRun
        market={samples.first}
        cash={figures.availableUsdc}
        hasOrder={figures.openOrders > 0}
        hasKey={active.length > 0}
      />
      {samples.others.length > 0 && (
        <section aria-labelledby="popular" className="border-t border-border">
          <h2 id="popular" className="p-4 text-heading sm:px-6">
            Popular now
          </h2>
          <div className="border-t border-border">
            <MarketCards
              groups={samples.others}
              watchAction={watchAction}
              eventHref="/markets?event="
              now={Date.now()}
            />
          </div>
        </section>
      )}
    </>
  );
}

interface Samples {
  /** The most popular market of two plain outcomes: an event's candidates would need their names. */
  first: SampleMarket | null;
  others: z.input<typeof MarketBrowse>["groups"];
}

async function findSamples(principal: Principal): Promise<Samples> {
  const found = await listPopularMarkets(principal, SAMPLE_CHOICE);
  const { groups } = z.encode(MarketBrowse, found);
  const isPlain = ({ markets, hidden }: (typeof groups)[number]) => markets.length + hidden === 1;
  const group = groups.find(isPlain);
  const line = group?.markets[0];
  return {
    first: group && line ? { ...line, icon: group.icon } : null,
    others: groups.filter((other) => other !== group).slice(0, OTHERS_SHOWN),
  };
}

const NO_SAMPLES: Samples = { first: null, others: [] };
const SAMPLE_CHOICE = 12;
/** A row of cards. */
const OTHERS_SHOWN = 3;

async function WithoutScript({ now }: { now: number }) {
  const clock = await getDisplay();
  return (
    <noscript>
      <p className="mb-4 text-small text-text-2">
        Updated {formatUpdated(now, clock)}. Without JavaScript, this page doesn&rsquo;t update.{" "}
        <a href="/" className="link">
          Reload
        </a>
      </p>
    </noscript>
  );
}
