import Link from "next/link";
import { IntentLink } from "@/components/ui/intent-link";
import { watchAction } from "@/app/(dashboard)/markets/actions";
import type { LoadedMarket } from "@/app/(dashboard)/markets/[slug]/load";
import { Probability } from "@/components/format/values";
import { TimeStamp } from "@/components/format/time-stamp";
import { TimeUntil } from "@/components/format/time-until";
import { Change, MarketIcon, ResolvedBadge } from "@/components/markets/market-parts";
import { PageRefresher } from "@/components/markets/page-refresher";
import { WatchStar } from "@/components/markets/watch-star";
import { LiveChance } from "@/components/trading/order-book/live-chance";
import { Badge } from "@/components/ui/badge";

interface Props {
  loaded: LoadedMarket;
  /** The time of the page's figures. */
  at: number;
}

/** The market's title, chance and figures, and the other markets of its event. */
export function MarketHead({ loaded, at }: Props) {
  const { detail, header, market, outcome } = loaded;
  const mayTradeElsewhere = detail.untradableReason !== null && detail.status !== "resolved";
  const isRunning = detail.status === "open" || mayTradeElsewhere;
  return (
    <header className="flex flex-col gap-2">
      <div className="flex items-start gap-3">
        <MarketIcon src={`/icons/${market.icon}`} size="large" />
        <div className="min-w-0 flex-1">
          <nav aria-label="Breadcrumb" className="text-small text-text-2">
            <Link
              href={`/markets?cat=${detail.category}`}
              prefetch={false}
              className="capitalize hover:underline max-lg:inline-flex max-lg:min-h-11 max-lg:items-center"
            >
              {detail.category}
            </Link>
          </nav>
          <h1 className="line-clamp-3 text-title sm:line-clamp-2">{detail.title}</h1>
        </div>
        <WatchStar
          action={watchAction}
          subject={{ marketId: detail.id }}
          title={detail.title}
          isWatched={header.isWatched}
        />
      </div>
      <dl className="flex flex-wrap items-end gap-x-5 gap-y-1 sm:gap-x-6">
        {detail.status !== "resolved" && (
          <Figure label={`Chance of ${outcome.name}`}>
            <span className="text-title">
              <LiveChance />
            </span>
          </Figure>
        )}
        {detail.status === "open" && (
          <Figure label="24 h">
            <Change change={header.change} />
          </Figure>
        )}
        <Figure label={isRunning ? "Closes in" : "Closed"}>
          {isRunning ? (
            <TimeUntil at={detail.closesAt} now={Date.now()} />
          ) : (
            <TimeStamp at={detail.closesAt} />
          )}
        </Figure>
        <Figure label="Status">
          <Status loaded={loaded} />
        </Figure>
      </dl>
      <PageRefresher at={at} />
      <Siblings loaded={loaded} />
    </header>
  );
}

interface FigureProps {
  label: string;
  children: React.ReactNode;
}

function Figure({ label, children }: FigureProps) {
  return (
    <div>
      <dt className="text-caption text-text-3">{label}</dt>
      <dd className="flex min-h-7 items-center font-[550]">{children}</dd>
    </div>
  );
}

function Status({ loaded: { detail } }: { loaded: LoadedMarket }) {
  if (detail.status === "open") return <Badge tone="up">Open</Badge>;
  if (detail.status === "closed" && detail.untradableReason !== null) {
    return <Badge tone="warn">Not tradable</Badge>;
  }
  if (detail.status === "closed") return <Badge tone="warn">Awaiting result</Badge>;
  const winner = detail.outcomes.find(({ tokenId }) => tokenId === detail.winningTokenId);
  return <ResolvedBadge winner={winner?.name ?? null} />;
}

function Siblings({ loaded: { detail, header } }: { loaded: LoadedMarket }) {
  if (header.siblings.length === 0) return null;
  return (
    <nav
      aria-label={`Also in: ${detail.eventTitle}`}
      className="flex gap-1.5 overflow-x-auto p-1 -mx-1"
    >
      {header.siblings.map(({ slug, label, chance }) => (
        <IntentLink
          key={slug}
          href={`/markets/${slug}`}
          className="inline-flex h-11 shrink-0 items-center gap-1.5 rounded-pill border border-border px-3 text-small text-text-2 hover:bg-surface-2 hover:text-text lg:h-8"
        >
          {label}
          <span className="font-[550] text-text">
            <Probability price={chance} />
          </span>
        </IntentLink>
      ))}
    </nav>
  );
}
